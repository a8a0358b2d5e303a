// SPDX-License-Identifier: Apache-2.0
#pragma once
// Temporary memory of a thread, for example for the lanes of a strip that are not in an operand's memory.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::detail {

// One allocation for each thread and User, which is only a tag. It grows to the largest request and is kept.
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
