// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program in the order in which its results need its values: inputs, then each value after its operands, first
// operand first, and a region's values right before the node that runs it. Before all values come effects, in program
// order, whether or not a result needs them. C++ does not specify the order in which operands of an expression are
// evaluated, so traces at compile time and at run time may differ; this order does not.

#include <tessera/graph/graph.hpp>

namespace tessera {
namespace detail {

class canonical_order {
public:
  constexpr explicit canonical_order(growable_graph const& from) : g_(from.view()) {
    to.mesh = from.mesh;
    moved_.resize(from.nodes.size(), -1);
    for (int id = 0; id < g_.node_count; ++id) any_acts_ = any_acts_ || g_[id].op->act;
    for (int i = 0; i < g_.input_count; ++i) {
      place(g_.inputs[i]);
      to.inputs.push_back(at(g_.inputs[i]));
    }
    follow_acts(0, g_.node_count, -1);
    for (int i = 0; i < g_.output_count; ++i) {
      follow(g_.outputs[i]);
      to.outputs.push_back(at(g_.outputs[i]));
    }
  }
  growable_graph to;

private:
  constexpr int& at(int id) { return moved_[id]; }

  // Places `result` after all nodes that it needs.
  constexpr void follow(int result) {
    growable<int> waiting;
    waiting.push_back(result);
    while (!waiting.empty()) {
      int const id = waiting.back();
      bool ready = true;
      if (at(id) < 0)
        for (int k = g_[id].operand_count - 1; k >= 0; --k)
          if (at(g_.operand(id, k)) < 0) {
            waiting.push_back(g_.operand(id, k));
            ready = false;
          }
      if (!ready) continue;
      waiting.pop_back();
      if (at(id) < 0) place(id);
    }
  }
  // Follows the effects that are directly in `region`, or in no region (-1).
  constexpr void follow_acts(int first, int count, int region) {
    for (int id = first; any_acts_ && id < first + count; ++id)
      if (acts(g_, id) && at(id) < 0 && innermost_region(g_, id) == region) follow(id);
  }
  constexpr void place(int id) {
    node n = g_[id];
    if (n.region_count) {
      growable<graph_region> parts;
      for (int r = 0; r < n.region_count; ++r) parts.push_back(moved(g_.part(id, r), n.first_region + r));
      n.first_region = static_cast<int>(to.regions.size());
      for (graph_region const& r : parts) to.regions.push_back(r);
    }
    n.first_operand = static_cast<int>(to.operands.size());
    for (int k = 0; k < n.operand_count; ++k) to.operands.push_back(at(g_.operand(id, k)));
    at(id) = static_cast<int>(to.nodes.size());
    to.nodes.push_back(n);
  }
  constexpr graph_region moved(graph_region const& r, int number) {
    graph_region made;
    made.first_node = static_cast<int>(to.nodes.size());
    for (int i = 0; i < r.input_count; ++i) place(g_.input(r, i));
    follow_acts(r.first_node, r.node_count, number);
    for (int i = 0; i < r.output_count; ++i) follow(g_.output(r, i));
    made.node_count = static_cast<int>(to.nodes.size()) - made.first_node;
    made.first_input = static_cast<int>(to.region_values.size());
    made.input_count = r.input_count;
    for (int i = 0; i < r.input_count; ++i) to.region_values.push_back(at(g_.input(r, i)));
    made.first_output = static_cast<int>(to.region_values.size());
    made.output_count = r.output_count;
    for (int i = 0; i < r.output_count; ++i) to.region_values.push_back(at(g_.output(r, i)));
    return made;
  }

  graph_view g_;
  growable<int> moved_;
  bool any_acts_ = false;
};

}  // namespace detail

constexpr growable_graph canonical(growable_graph const& from) { return detail::canonical_order(from).to; }

}  // namespace tessera
