// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function as a plain value: nodes in topological order, which are inputs, which are results.
// Recorded into a `growable_graph`, kept as a `graph<...>` of exact size; both are read through `graph_view`.

#include <tessera/base/growable.hpp>
#include <tessera/graph/node.hpp>

#include <array>
#include <stdexcept>

namespace tessera {

struct graph_view {
  mesh_value const* mesh;
  node const* nodes;
  int node_count;
  int const* operands;
  int const* inputs;
  int input_count;
  int const* outputs;
  int output_count;

  constexpr node const& operator[](int id) const { return nodes[id]; }
  constexpr int operand(int id, int k) const { return operands[nodes[id].first_operand + k]; }
};

struct growable_graph {
  mesh_value mesh{};
  growable<node> nodes;
  growable<int> operands, inputs, outputs;

  constexpr graph_view view() const {
    return {&mesh,
            nodes.data(),
            static_cast<int>(nodes.size()),
            operands.data(),
            inputs.data(),
            static_cast<int>(inputs.size()),
            outputs.data(),
            static_cast<int>(outputs.size())};
  }
};

struct graph_size {
  std::size_t nodes, operands, inputs, outputs;
};

template <std::size_t Nodes, std::size_t Operands, std::size_t Inputs, std::size_t Outputs>
struct graph {
  mesh_value mesh{};
  std::array<node, Nodes> nodes{};
  std::array<int, Operands> operands{};
  std::array<int, Inputs> inputs{};
  std::array<int, Outputs> outputs{};

  constexpr graph() = default;
  constexpr explicit graph(growable_graph const& from) : mesh(from.mesh) {
    fill(nodes, from.nodes);
    fill(operands, from.operands);
    fill(inputs, from.inputs);
    fill(outputs, from.outputs);
  }
  constexpr graph_view view() const {
    return {&mesh,
            nodes.data(),
            static_cast<int>(Nodes),
            operands.data(),
            inputs.data(),
            static_cast<int>(Inputs),
            outputs.data(),
            static_cast<int>(Outputs)};
  }

private:
  template <class Array, class List>
  static constexpr void fill(Array& to, List const& from) {
    if (from.size() != to.size()) throw std::length_error("tessera: a graph of another size than was counted");
    std::size_t i = 0;
    for (auto& item : to) item = from[i++];
  }
};

}  // namespace tessera
