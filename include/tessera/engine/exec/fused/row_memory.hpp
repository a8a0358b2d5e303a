// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of a thread's own: for the lanes of a strip that are not in an operand's memory, for instance.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::detail {

// One for each thread and each User, which is only a name; it grows to the largest use and stays.
template <class User>
std::byte* thread_memory(std::size_t bytes) {
  thread_local std::vector<std::byte> memory;
  if (memory.size() < bytes + 64) memory.resize(bytes + 64);
  auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.data() + ((address + 63) / 64 * 64 - address);
}
struct rows_of_lanes;
inline std::byte* row_memory(std::size_t bytes) { return thread_memory<rows_of_lanes>(bytes); }

}  // namespace tessera::detail
