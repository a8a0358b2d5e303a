// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program over Auto axes as one over Explicit axes, its layouts chosen by what they make it move. Programs without Auto
// axes pass as they are.

#include <tessera/partition/choice.hpp>
#include <tessera/plan/layout_costs.hpp>

namespace tessera {

namespace detail {
// Of a program that leaves layouts open.
constexpr growable_graph laid_out_by_choice(graph_view const& traced, by_dim<entry_value> const* given = nullptr) {
  return laid_out(traced, choose_layouts<layout_costs>(traced, given).data());
}
}  // namespace detail

// given: the entries of each argument, or null where they are chosen, too.
constexpr growable_graph partitioned(growable_graph traced, by_dim<entry_value> const* given = nullptr) {
  if (!leaves_layouts_open(traced.view())) return traced;
  return detail::laid_out_by_choice(traced.view(), given);
}

}  // namespace tessera
