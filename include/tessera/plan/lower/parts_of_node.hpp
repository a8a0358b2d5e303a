// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layouts in which a node is computed: its result has its own layout, as far as its factors may be split, and its
// operands follow these factors. What operand 0 has pending stays pending.

#include <tessera/plan/path/block_layout.hpp>
#include <tessera/rule/factors.hpp>

namespace tessera::detail {

struct parts_of_node {
  factor_map map;
  factor_layout by;
  block_layout made;

  constexpr parts_of_node(factor_map const& factors, mesh_value const& mesh, block_layout const& wanted)
      : map(factors), by(map, mesh), made(wanted) {
    by.take(map.result(), wanted.spec, wanted.rank);
    join();
  }
  // The result's entries, as its factors are split.
  constexpr void join() {
    for (int d = 0; d < made.rank; ++d) made.entry(d) = by.joined(map.result(), d);
  }
  // Splits no factor by these axes.
  constexpr void free(axis_set axes) {
    for (int f = 0; f < map.count; ++f)
      if (!(by.by[f].axes() & axes).empty()) by.by[f] = {};
    join();
  }
  // The same, and the result has sums over them pending.
  constexpr void leave_pending(axis_set axes) {
    free(axes);
    made.pending |= axes;
  }
  parts_of_node(parts_of_node const&) = delete;
  parts_of_node& operator=(parts_of_node const&) = delete;

  constexpr block_layout of(int operand) const {
    block_layout layout;
    layout.rank = map.ranks[operand];
    for (int d = 0; d < layout.rank; ++d) layout.entry(d) = by.joined(operand, d);
    return layout;
  }
  // Whether dimension d of the result is computed as it is split.
  constexpr bool passes(int d) const { return map.kind[map.first(map.result(), d)] == factor_kind::passed; }
};

}  // namespace tessera::detail
