// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program over Auto axes as the same program over Explicit ones: layouts chosen for all its values, so that lowering
// places what moves. Programs without Auto axes pass as they are. In constant evaluation or at run time.
// Source: GSPMD (Xu et al., 2021), Shardy (openxla/shardy); JAX's jit over AxisType.Auto.

#include <tessera/partition/propagation.hpp>

namespace tessera {

// The mesh with all axes Explicit: how values really are laid out, which a type does not say of Auto axes.
constexpr mesh_value explicit_twin(mesh_value mesh) {
  for (int a = 0; a < mesh.rank; ++a) mesh.kinds[static_cast<std::size_t>(a)] = axis_kind::explicit_;
  return mesh;
}

// Does the program leave layouts open? Over Auto axes, its mesh's or a part's.
constexpr bool leaves_layouts_open(graph_view const& traced) {
  return !traced.mesh->of_kind(axis_kind::automatic).empty() || !traced.mesh->of_both_kinds.empty();
}

// `given`: the entries of each argument, or null where they are free to be chosen, too. `grown_from`: see propagation.
constexpr value_layouts choose_layouts(graph_view const& traced, by_dim<entry_value> const* given = nullptr,
                                       growable<int>* grown_from = nullptr) {
  return detail::propagation(traced, given, grown_from).take();
}

// The program with these layouts, on the twin of its mesh.
constexpr growable_graph laid_out(graph_view const& traced, by_dim<entry_value> const* layouts) {
  growable_graph to = growable_graph::copy_of(traced);
  to.mesh = explicit_twin(*traced.mesh);
  to.mesh.of_both_kinds = {};
  for (int id = 0; id < traced.node_count; ++id) to.nodes[static_cast<std::size_t>(id)].facts.spec = layouts[id];
  // A loop's condition reads what its body reads.
  for (int id = 0; id < traced.node_count; ++id) {
    node const& n = traced[id];
    if (n.op->kind != op_class::loop || n.attrs.as<loop_shape>().kind != loop_kind::while_) continue;
    graph_region const &condition = traced.part(id, 0), &body = traced.part(id, 1);
    for (int k = 0; k < body.input_count; ++k)
      to.nodes[static_cast<std::size_t>(traced.input(condition, k))].facts.spec = layouts[traced.input(body, k)];
  }
  return to;
}

// The program with layouts chosen for all its values, where it leaves any open.
constexpr growable_graph partitioned(growable_graph traced, by_dim<entry_value> const* given = nullptr) {
  if (!leaves_layouts_open(traced.view())) return traced;
  value_layouts const layouts = choose_layouts(traced.view(), given);
  return laid_out(traced.view(), layouts.data());
}

}  // namespace tessera
