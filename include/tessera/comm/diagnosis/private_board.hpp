// SPDX-License-Identifier: Apache-2.0
#pragma once
// A board in memory of this process, for ranks that are threads and for hosts without shared memory.

#include <tessera/comm/diagnosis/board.hpp>

#include <cstdlib>
#include <memory>
#include <new>

#include <unistd.h>

namespace tessera::detail {

class private_board : public board {
public:
  static std::shared_ptr<board> make(int ranks) {
    std::size_t const bytes = board::bytes(ranks);
    void* const memory = std::aligned_alloc(alignof(board_row), bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return std::make_shared<private_board>(std::memset(memory, 0, bytes), ranks);
  }
  private_board(void* memory, int ranks) : board(memory, ranks), memory_(memory) {}
  ~private_board() override { std::free(memory_); }

private:
  void* memory_;
};

inline std::string host_name() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace tessera::detail
