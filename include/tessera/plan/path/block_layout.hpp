// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a value is split into blocks: the mesh axes of each dimension, and the axes over which partial sums are pending.

#include <tessera/aval/value.hpp>

namespace tessera {

struct block_layout {
  int rank = 0;
  by_dim<entry_value> spec{};
  axis_set pending{};

  constexpr entry_value& entry(int d) { return spec.items[d]; }
  constexpr entry_value entry(int d) const { return spec.items[d]; }
  constexpr axis_set used() const {
    axis_set set;
    for (int d = 0; d < rank; ++d)
      if (spec.items[d].code) set.bits |= spec.items[d].axes().bits;
    return set;
  }
  constexpr bool operator==(block_layout const& other) const {
    if (rank != other.rank || pending.bits != other.pending.bits) return false;
    for (int d = 0; d < rank; ++d)
      if (spec.items[d].code != other.spec.items[d].code) return false;
    return true;
  }
};

// The layout of a global value, without the axes in `dropped` (axes of one device, which split nothing).
constexpr block_layout blocks_of(array_value const& global, axis_set dropped = {}) {
  block_layout layout;
  layout.rank = global.rank;
  for (int d = 0; d < global.rank; ++d) {
    entry_value const entry = global.spec.items[d];
    layout.spec.items[d] = dropped.bits == 0 || entry.code == 0 ? entry : without(entry, dropped);
  }
  layout.pending = global.unreduced - dropped;
  return layout;
}

// The number of axes with which both entries begin.
constexpr int shared_front(entry_value a, entry_value b) {
  int k = 0;
  while (a.axis(k) >= 0 && a.axis(k) == b.axis(k)) ++k;
  return k;
}
constexpr entry_value first_of(entry_value e, int count) {
  return {count >= 8 ? e.code : e.code & ((std::uint32_t{1} << (4 * count)) - 1)};
}
constexpr entry_value after(entry_value e, int count) { return {count >= 8 ? 0 : e.code >> (4 * count)}; }
constexpr entry_value joined(entry_value front, entry_value back) {
  return {back.empty() ? front.code : front.code | (back.code << (4 * front.count()))};
}
constexpr bool begins(entry_value front, entry_value whole) { return shared_front(front, whole) == front.count(); }

}  // namespace tessera
