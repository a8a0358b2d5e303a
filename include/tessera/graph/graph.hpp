// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function as a plain value: nodes in topological order, inputs, outputs. Recorded into a `growable_graph`,
// stored as a `graph<...>` of exact size; both are read through `graph_view`.

#include <tessera/base/growable.hpp>
#include <tessera/graph/node.hpp>

#include <array>
#include <stdexcept>

namespace tessera {

// A part of a program that one node runs, as often as it needs: the body of a loop, a branch. Its nodes precede that
// node. They may read earlier values, which are then also operands of the node.
struct graph_region {
  int first_node = 0, node_count = 0;
  int first_input = 0, input_count = 0;  // in the graph's list of region values
  int first_output = 0, output_count = 0;
};

struct graph_size {
  std::size_t nodes = 0, operands = 0, inputs = 0, outputs = 0, regions = 0, region_values = 0;

  constexpr bool holds(graph_size const& other) const {
    return nodes >= other.nodes && operands >= other.operands && inputs >= other.inputs && outputs >= other.outputs &&
           regions >= other.regions && region_values >= other.region_values;
  }
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
  int operand_count, region_value_count;

  constexpr node const& operator[](int id) const { return nodes[id]; }
  constexpr int operand(int id, int k) const { return operands[nodes[id].first_operand + k]; }
  constexpr graph_region const& part(int id, int k) const { return regions[nodes[id].first_region + k]; }
  constexpr int input(graph_region const& r, int i) const { return region_values[r.first_input + i]; }
  constexpr int output(graph_region const& r, int i) const { return region_values[r.first_output + i]; }
};

namespace detail {
// Whether a node is an effect, or runs a region that has one.
constexpr bool acts(graph_view const& g, int id) {
  if (g[id].op->act) return true;
  for (int r = 0; r < g[id].region_count; ++r) {
    graph_region const& part = g.part(id, r);
    for (int n = part.first_node; n < part.first_node + part.node_count; ++n)
      if (g[n].op->act) return true;
  }
  return false;
}

// The innermost region that contains a node; -1: none.
constexpr int innermost_region(graph_view const& g, int id) {
  int found = -1;
  for (int r = 0; r < g.region_count; ++r) {
    graph_region const& part = g.regions[r];
    bool const inside = id >= part.first_node && id < part.first_node + part.node_count;
    if (inside && (found < 0 || part.node_count <= g.regions[found].node_count)) found = r;
  }
  return found;
}

// Copies `count` items to a constant that has room for them.
template <class T, std::size_t N>
constexpr void put_into(std::array<T, N>& to, T const* from, int count) {
  if (static_cast<std::size_t>(count) > N) throw std::length_error("tessera: a program is larger than its room");
  T* const item = to.data();
  for (int i = 0; i < count; ++i) item[i] = from[i];
}

template <class Graph>
constexpr graph_view graph_view_of(Graph const& g, graph_size const& used) {
  auto const count = [](std::size_t n) { return static_cast<int>(n); };
  return {&g.mesh,
          g.nodes.data(),
          count(used.nodes),
          g.operands.data(),
          g.inputs.data(),
          count(used.inputs),
          g.outputs.data(),
          count(used.outputs),
          g.regions.data(),
          count(used.regions),
          g.region_values.data(),
          count(used.operands),
          count(used.region_values)};
}
}  // namespace detail

struct growable_graph {
  mesh_value mesh{};
  growable<node> nodes;
  growable<int> operands, inputs, outputs;
  growable<graph_region> regions;
  growable<int> region_values;

  constexpr graph_size size() const {
    return {nodes.size(), operands.size(), inputs.size(), outputs.size(), regions.size(), region_values.size()};
  }
  constexpr graph_view view() const { return detail::graph_view_of(*this, size()); }

  // A copy of the program, which may be changed.
  static constexpr growable_graph copy_of(graph_view const& from) {
    auto const take = [](auto& to, auto const* items, int count) {
      to.reserve(count);
      for (int i = 0; i < count; ++i) to.push_back(items[i]);
    };
    growable_graph to;
    to.mesh = *from.mesh;
    take(to.nodes, from.nodes, from.node_count);
    take(to.operands, from.operands, from.operand_count);
    take(to.inputs, from.inputs, from.input_count);
    take(to.outputs, from.outputs, from.output_count);
    take(to.regions, from.regions, from.region_count);
    take(to.region_values, from.region_values, from.region_value_count);
    return to;
  }
};

// A graph of exactly the size Size, or with room for it.
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
  constexpr explicit graph(graph_view const& from) { take(from); }
  constexpr explicit graph(growable_graph const& from) : graph(from.view()) {}
  constexpr void take(graph_view const& from) {
    mesh = *from.mesh;
    detail::put_into(nodes, from.nodes, from.node_count);
    detail::put_into(operands, from.operands, from.operand_count);
    detail::put_into(inputs, from.inputs, from.input_count);
    detail::put_into(outputs, from.outputs, from.output_count);
    detail::put_into(regions, from.regions, from.region_count);
    detail::put_into(region_values, from.region_values, from.region_value_count);
  }
  constexpr graph_view view(graph_size const& used = Size) const { return detail::graph_view_of(*this, used); }
};

}  // namespace tessera
