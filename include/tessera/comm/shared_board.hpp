// SPDX-License-Identifier: Apache-2.0
#pragma once
// A board in memory that the processes of a host share. It has a name only until all of them have mapped it.

#include <tessera/comm/board.hpp>

#include <cerrno>
#include <memory>
#include <random>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tessera::detail {

class shared_board final : public board {
public:
  // Null when the host has no memory to share. `rows`: those that will be written.
  static std::shared_ptr<board> create(std::string const& name, int ranks, std::vector<int> const& rows) {
    int const file = ::shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) return nullptr;
    bool good = ::ftruncate(file, static_cast<off_t>(bytes(ranks))) == 0;
    // A full file system must say so here, and not when a row is written.
    for (int const row : rows)
      good = good && ::posix_fallocate(file, static_cast<off_t>(bytes(row)), static_cast<off_t>(bytes(1))) == 0;
    return map(file, ranks, good);
  }
  static std::shared_ptr<board> open(std::string const& name, int ranks) {
    int const file = ::shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0600);
    return file < 0 ? nullptr : map(file, ranks, true);
  }
  static void remove(std::string const& name) { ::shm_unlink(name.c_str()); }
  static std::string new_name() {
    std::random_device random;
    std::string name = "/tessera-";
    for (int i = 0; i < 4; ++i) name += std::to_string(random());
    return name;
  }

  shared_board(void* memory, int ranks) : board(memory, ranks), memory_(memory) {}
  ~shared_board() override { ::munmap(memory_, bytes(ranks())); }

private:
  static std::shared_ptr<board> map(int file, int ranks, bool good) {
    void* const memory = good ? ::mmap(nullptr, bytes(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    ::close(file);
    return memory == MAP_FAILED ? nullptr : std::make_shared<shared_board>(memory, ranks);
  }
  void* memory_;
};

}  // namespace tessera::detail
