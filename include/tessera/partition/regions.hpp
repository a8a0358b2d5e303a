// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of axes inside the regions that contain a value: shard_map makes them Manual, auto_axes Auto, explicit_axes
// Explicit. Derived from the borders that the value passes before or after.

#include <tessera/graph/graph.hpp>

namespace tessera::detail {

struct region_axes {
  axis_set manual{}, closed{}, opened{};  // Manual; Auto, but Explicit outside; Explicit, but Auto outside
};

class program_regions {
public:
  constexpr explicit program_regions(graph_view const& g) : g_(g) {
    known_.resize(g.node_count);
    bool any = false;
    for (int id = 0; id < g.node_count; ++id) {
      op_class const kind = g[id].op->kind;
      any = any || kind == op_class::enter || kind == op_class::mesh_cast;
    }
    for (changed_ = any; changed_;) {
      changed_ = false;
      for (int id = 0; id < g.node_count; ++id) see(id);
      for (int id = g.node_count - 1; id >= 0; --id) see(id);
    }
  }
  constexpr region_axes const& of(int id) const { return known_[id]; }

private:
  constexpr void add(int id, region_axes const& axes) {
    region_axes& known = known_[id];
    if (known.manual.contains(axes.manual) && known.closed.contains(axes.closed) && known.opened.contains(axes.opened))
      return;
    known.manual |= axes.manual;
    known.closed |= axes.closed;
    known.opened |= axes.opened;
    changed_ = true;
  }
  constexpr void see(int id) {
    node const& n = g_[id];
    for (int k = 0; k < n.operand_count; ++k) {
      int const x = g_.operand(id, k);
      region_axes in = of(x), out = of(id);
      cross(n, in, out);
      add(id, in);
      add(x, out);
    }
    for (int r = 0; r < n.region_count; ++r) {
      graph_region const& part = g_.part(id, r);
      for (int k = 0; k < part.input_count; ++k) add(g_.input(part, k), of(id));
      for (int k = 0; k < part.output_count; ++k) {
        add(id, of(g_.output(part, k)));
        add(g_.output(part, k), of(id));
      }
    }
  }
  // Changes an operand's axes to those after n, and a result's axes to those before it.
  static constexpr void cross(node const& n, region_axes& in, region_axes& out) {
    if (n.op->kind == op_class::enter) {
      axis_set const axes = n.attrs.as<shard_map_params>().axes;
      in.manual |= axes;
      out.manual = out.manual - axes;
    } else if (n.op->kind == op_class::leave) {
      axis_set const axes = n.attrs.as<shard_map_params>().axes;
      in.manual = in.manual - axes;
      out.manual |= axes;
    }
    if (n.op->border == kind_border::none) return;
    axis_set const axes = n.attrs.as<mesh_cast_params>().axes;
    switch (n.op->border) {
      case kind_border::none: break;
      case kind_border::to_auto:
        in.closed |= axes;
        in.opened = in.opened - axes;
        out.closed = out.closed - axes;
        break;
      case kind_border::from_auto:
        in.closed = in.closed - axes;
        out.closed |= axes;
        out.opened = out.opened - axes;
        break;
      case kind_border::to_explicit:
        in.opened |= axes;
        in.closed = in.closed - axes;
        out.opened = out.opened - axes;
        break;
      case kind_border::from_explicit:
        in.opened = in.opened - axes;
        out.opened |= axes;
        out.closed = out.closed - axes;
        break;
    }
  }

  graph_view g_;
  growable<region_axes> known_;
  bool changed_ = false;
};

}  // namespace tessera::detail
