// SPDX-License-Identifier: Apache-2.0
#pragma once
// A board in memory that the processes of a host share. The memory has no name, so nothing stays behind.

#include <tessera/base/text.hpp>
#include <tessera/comm/diagnosis/board.hpp>

#include <memory>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::detail {

class shared_board final : public board {
public:
  // The file stays open until all processes of the host have mapped it.
  struct opened {
    std::shared_ptr<detail::board> board;  // null where the system has no such memory
    int file = -1;
  };
  // `rows`: the rows that will be written.
  static opened create(int ranks, std::vector<int> const& rows) {
#if defined(__linux__)
    int const file = ::memfd_create("tessera", MFD_CLOEXEC);
    if (file < 0) return {};
    bool good = ::ftruncate(file, static_cast<off_t>(bytes(ranks))) == 0;
    // Missing memory must be detected here, and not when a row is written.
    for (int const row : rows)
      good = good && ::posix_fallocate(file, static_cast<off_t>(bytes(row)), static_cast<off_t>(bytes(1))) == 0;
    return {good ? map(file, ranks) : nullptr, file};
#else
    (void)ranks, (void)rows;
    return {};
#endif
  }
  // Opens the board of another process.
  static opened open(std::int64_t process, int its_file, int ranks) {
    if (its_file < 0) return {};
    std::string path = "/proc/";
    append_number(path, process);
    path += "/fd/";
    append_number(path, its_file);
    int const file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat what {};
    bool const good = file >= 0 && ::fstat(file, &what) == 0 && what.st_size == static_cast<off_t>(bytes(ranks));
    return {good ? map(file, ranks) : nullptr, file};
  }

  shared_board(void* memory, int ranks) : board(memory, ranks), memory_(memory) {}
  ~shared_board() override { ::munmap(memory_, bytes(ranks())); }

private:
  static std::shared_ptr<detail::board> map(int file, int ranks) {
    void* const memory = ::mmap(nullptr, bytes(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : std::make_shared<shared_board>(memory, ranks);
  }
  void* memory_;
};

}  // namespace tessera::detail
