// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program over Auto axes as one over Explicit axes, its layouts chosen by what they make it move. Programs without Auto
// axes pass as they are.

#include <tessera/partition/choice.hpp>
#include <tessera/plan/layout_costs.hpp>

namespace tessera {

constexpr growable_graph partitioned(growable_graph traced, by_dim<entry_value> const* given = nullptr) {
  if (!leaves_layouts_open(traced.view())) return traced;
  value_layouts const layouts = choose_layouts<detail::layout_costs>(traced.view(), given);
  return laid_out(traced.view(), layouts.data());
}

}  // namespace tessera
