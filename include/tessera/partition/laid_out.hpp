// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program over Auto axes as the same program over Explicit axes, with layouts for all its values, from which lowering
// derives the messages. In constant evaluation or at run time.

#include <tessera/graph/graph.hpp>
#include <tessera/graph/loop.hpp>
#include <tessera/rule/spec.hpp>

namespace tessera {

// The mesh with all axes Explicit, so that types show the layouts over Auto axes.
constexpr mesh_value explicit_twin(mesh_value mesh) {
  for (int a = 0; a < mesh.rank; ++a) mesh.kinds[a] = axis_kind::explicit_;
  return mesh;
}

// Whether the program leaves layouts open: its mesh, or a part of the program, has Auto axes.
constexpr bool leaves_layouts_open(graph_view const& traced) { return rule::is_planned(*traced.mesh); }

namespace detail {

constexpr growable_graph on_twin(growable_graph traced) {
  traced.mesh = explicit_twin(traced.mesh);
  traced.mesh.of_both_kinds = {};
  return traced;
}
// A loop's condition reads its values in the layouts of its body.
constexpr void follow_bodies(growable_graph& laid) {
  graph_view const g = laid.view();
  for (int id = 0; id < g.node_count; ++id) {
    node const& n = g[id];
    if (n.op->kind != op_class::loop || n.attrs.as<loop_shape>().kind != loop_kind::while_) continue;
    graph_region const &condition = g.part(id, 0), &body = g.part(id, 1);
    for (int k = 0; k < body.input_count; ++k)
      laid.nodes[g.input(condition, k)].facts.spec = g[g.input(body, k)].facts.spec;
  }
}

}  // namespace detail

// The program with these layouts, on the twin of its mesh.
constexpr growable_graph laid_out(graph_view const& traced, by_dim<entry_value> const* layouts) {
  growable_graph to = detail::on_twin(growable_graph::copy_of(traced));
  for (int id = 0; id < traced.node_count; ++id) to.nodes[id].facts.spec = layouts[id];
  detail::follow_bodies(to);
  return to;
}

}  // namespace tessera
