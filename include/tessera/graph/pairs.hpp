// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks in the recorded graph that everything that is started is waited for once, in the same part of the program.

#include <tessera/graph/builder.hpp>

namespace tessera {

namespace detail {

constexpr bool in_one_region(growable_graph const& g, int a, int b) {
  for (graph_region const& r : g.regions) {
    auto const inside = [&r](int id) { return id >= r.first_node && id < r.first_node + r.node_count; };
    if (inside(a) != inside(b)) return false;
  }
  return true;
}

// Refuses a program that never waits for something that it started, or waits for it twice.
constexpr void judge_pairs(builder& b) {
  growable<int> waits;
  bool any = false;
  for (int id = 0; id < b.size(); ++id) any = any || b.at(id).op->pair == pair_half::start;
  if (!any || b.refused.what.why != reason::none) return;
  waits.resize(b.recorded.nodes.size(), 0);
  for (int id = 0; id < b.size(); ++id) {
    if (b.at(id).op->pair != pair_half::done) continue;
    int const start = b.recorded.operands[b.at(id).first_operand];
    if (in_one_region(b.recorded, start, id)) ++waits[start];
  }
  for (int id = 0; id < b.size(); ++id) {
    node const& n = b.at(id);
    int const times = waits[id];
    if (n.op->pair != pair_half::start || times == 1) continue;
    b.here = n.at;
    b.refuse(refuse(times == 0 ? reason::left_in_flight : reason::awaited_twice), *n.op, n.facts);
    return;
  }
}

}  // namespace detail

}  // namespace tessera
