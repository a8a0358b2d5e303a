// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program over Auto axes as one over Explicit axes, with layouts chosen by communication cost. In every program,
// values that are only sliced are computed in blocks.

#include <tessera/partition/choice.hpp>
#include <tessera/partition/in_blocks.hpp>
#include <tessera/plan/cost/layout_costs.hpp>

namespace tessera {

namespace detail {
// For a program that leaves layouts open.
constexpr growable_graph laid_out_by_choice(graph_view const& traced, by_dim<entry_value> const* given = nullptr) {
  return in_blocks(laid_out(traced, choose_layouts<layout_costs>(traced, given).data()));
}
}  // namespace detail

// given: the entries of each argument, or null if they are chosen, too.
constexpr growable_graph partitioned(growable_graph traced, by_dim<entry_value> const* given = nullptr) {
  if (!leaves_layouts_open(traced.view())) return in_blocks(std::move(traced));
  return detail::laid_out_by_choice(traced.view(), given);
}

}  // namespace tessera
