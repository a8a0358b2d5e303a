// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a thread has the lanes of a strip that are not in an operand's memory.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::detail {

// One for each thread; it grows to the largest strip and stays.
inline std::byte* row_memory(std::size_t bytes) {
  thread_local std::vector<std::byte> memory;
  if (memory.size() < bytes + 64) memory.resize(bytes + 64);
  auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.data() + ((address + 63) / 64 * 64 - address);
}

}  // namespace tessera::detail
