// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function as a plain value: nodes in topological order, which are inputs, which are results.
// Recorded into a `growable_graph`, kept as a `graph<...>` of exact size; both are read through `graph_view`.

#include <tessera/base/growable.hpp>
#include <tessera/graph/node.hpp>

#include <array>
#include <stdexcept>

namespace tessera {

// A part of a program that one node runs, as often as it needs: the body of a loop, a branch. Its nodes stand before that
// node. They may read values from before them; these are operands of the node, too.
struct graph_region {
  int first_node = 0, node_count = 0;
  int first_input = 0, input_count = 0;  // in the graph's list of region values
  int first_output = 0, output_count = 0;
};

struct graph_view {
  mesh_value const* mesh;
  node const* nodes;
  int node_count;
  int const* operands;
  int const* inputs;
  int input_count;
  int const* outputs;
  int output_count;
  graph_region const* regions;
  int region_count;
  int const* region_values;

  constexpr node const& operator[](int id) const { return nodes[id]; }
  constexpr int operand(int id, int k) const { return operands[nodes[id].first_operand + k]; }
  constexpr graph_region const& part(int id, int k) const { return regions[nodes[id].first_region + k]; }
  constexpr int input(graph_region const& r, int i) const { return region_values[r.first_input + i]; }
  constexpr int output(graph_region const& r, int i) const { return region_values[r.first_output + i]; }
};

namespace detail {
// Whether a node is an effect, or a loop that has one.
constexpr bool acts(graph_view const& g, int id) {
  if (g[id].op->act) return true;
  for (int r = 0; r < g[id].region_count; ++r) {
    graph_region const& part = g.part(id, r);
    for (int n = part.first_node; n < part.first_node + part.node_count; ++n)
      if (g[n].op->act) return true;
  }
  return false;
}
}  // namespace detail

struct growable_graph {
  mesh_value mesh{};
  growable<node> nodes;
  growable<int> operands, inputs, outputs;
  growable<graph_region> regions;
  growable<int> region_values;

  constexpr graph_view view() const {
    return {&mesh,
            nodes.data(),
            static_cast<int>(nodes.size()),
            operands.data(),
            inputs.data(),
            static_cast<int>(inputs.size()),
            outputs.data(),
            static_cast<int>(outputs.size()),
            regions.data(),
            static_cast<int>(regions.size()),
            region_values.data()};
  }
};

struct graph_size {
  std::size_t nodes = 0, operands = 0, inputs = 0, outputs = 0, regions = 0, region_values = 0;
};
constexpr graph_size size_of(growable_graph const& g) {
  return {g.nodes.size(),   g.operands.size(), g.inputs.size(),
          g.outputs.size(), g.regions.size(),  g.region_values.size()};
}

// Exactly as large as Size says.
template <graph_size Size>
struct graph {
  mesh_value mesh{};
  std::array<node, Size.nodes> nodes{};
  std::array<int, Size.operands> operands{};
  std::array<int, Size.inputs> inputs{};
  std::array<int, Size.outputs> outputs{};
  std::array<graph_region, Size.regions> regions{};
  std::array<int, Size.region_values> region_values{};

  constexpr graph() = default;
  constexpr explicit graph(growable_graph const& from) : mesh(from.mesh) {
    fill(nodes, from.nodes);
    fill(operands, from.operands);
    fill(inputs, from.inputs);
    fill(outputs, from.outputs);
    fill(regions, from.regions);
    fill(region_values, from.region_values);
  }
  constexpr graph_view view() const {
    return {&mesh,
            nodes.data(),
            static_cast<int>(Size.nodes),
            operands.data(),
            inputs.data(),
            static_cast<int>(Size.inputs),
            outputs.data(),
            static_cast<int>(Size.outputs),
            regions.data(),
            static_cast<int>(Size.regions),
            region_values.data()};
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
