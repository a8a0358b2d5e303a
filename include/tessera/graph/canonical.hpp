// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program in the order in which its results need its values: inputs, then each value after its operands, the first
// operand's first. The order in which a C++ compiler evaluates the operands of an expression is not the language's to
// say, and differs between a trace made while compiling and one made at run time; this one does not.

#include <tessera/graph/graph.hpp>

namespace tessera {

constexpr growable_graph canonical(growable_graph const& from) {
  graph_view const g = from.view();
  growable_graph to;
  to.mesh = from.mesh;
  growable<int> moved, waiting;
  moved.resize(from.nodes.size(), -1);
  auto const place = [&](int id) {
    node n = g[id];
    n.first_operand = static_cast<int>(to.operands.size());
    for (int k = 0; k < n.operand_count; ++k) to.operands.push_back(moved[static_cast<std::size_t>(g.operand(id, k))]);
    moved[static_cast<std::size_t>(id)] = static_cast<int>(to.nodes.size());
    to.nodes.push_back(n);
  };
  for (int i = 0; i < g.input_count; ++i) {
    place(g.inputs[i]);
    to.inputs.push_back(moved[static_cast<std::size_t>(g.inputs[i])]);
  }
  for (int i = 0; i < g.output_count; ++i) {
    waiting.push_back(g.outputs[i]);
    while (!waiting.empty()) {
      int const id = waiting.back();
      bool ready = true;
      if (moved[static_cast<std::size_t>(id)] < 0)
        for (int k = g[id].operand_count - 1; k >= 0; --k)
          if (moved[static_cast<std::size_t>(g.operand(id, k))] < 0) {
            waiting.push_back(g.operand(id, k));
            ready = false;
          }
      if (!ready) continue;
      waiting.pop_back();
      if (moved[static_cast<std::size_t>(id)] < 0) place(id);
    }
    to.outputs.push_back(moved[static_cast<std::size_t>(g.outputs[i])]);
  }
  return to;
}

}  // namespace tessera
