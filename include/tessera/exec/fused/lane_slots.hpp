// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a compiled fused program holds of each instruction while it works on a strip.

#include <tessera/exec/fused/evaluate.hpp>
#include <tessera/exec/fused/lanes.hpp>

#include <vector>

namespace tessera::detail {

// Results that go past the caches are computed so many at a time.
inline constexpr std::int64_t stream_size = 4 * block_size;

// What instruction I holds between blocks.
enum class slot_kind {
  none,       // computed and used within one iteration
  value,      // one value for the row, or for everything
  gathered,   // a load: a run in memory, or lanes
  delivered,  // a store: the same
  lanes,      // an index
  reduction,  // 64 partial results, then the result in the first
  kept        // a row's values, for later passes
};
template <int I, dtype D, slot_kind Kind>
struct lane_slot {};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::value> {
  lane_of<D> value;
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::gathered> {
  alignas(64) lane_of<D> lanes[block_size];
  lane_of<D>* at;
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::delivered> {
  alignas(64) lane_of<D> lanes[stream_size];
  lane_of<D>* at;
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::lanes> {
  alignas(64) lane_of<D> lanes[block_size];
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::reduction> {
  alignas(64) lane_of<D> lanes[block_size];
  lane_of<D> total{};  // of the segments so far
};
template <int I, dtype D>
struct lane_slot<I, D, slot_kind::kept> {
  lane_of<D>* row;
};

template <class... Slots>
struct lane_slots : Slots... {};

// Rows' values between passes. One for each thread; it grows to the longest row and stays.
inline std::byte* row_memory(std::size_t bytes) {
  thread_local std::vector<std::byte> memory;
  if (memory.size() < bytes + 64) memory.resize(bytes + 64);
  auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.data() + ((address + 63) / 64 * 64 - address);
}

}  // namespace tessera::detail
