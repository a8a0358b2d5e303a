// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dimensions along which an operation moves elements, so that it needs them whole: of concatenate, slice, pad, cumsum,
// sort, windows that are read or written, and those along which a convolution or a pooling moves. No layout spreads
// along them; a result may take the layout of its operand.

#include <tessera/graph/node_factors.hpp>
#include <tessera/op/window/window_dims.hpp>

namespace tessera::detail {

struct moved_dim {
  int value = -1, dim = -1;
  int operand = -1, operand_dim = -1;
};

class moved_dims {
public:
  growable<moved_dim> all;  // in the order of values; those of one dimension in the order of operands

  constexpr explicit moved_dims(graph_view const& g) : g_(g) {
    for (int id = 0; id < g.node_count; ++id) switch (g[id].op->kind) {
        case op_class::slice:
        case op_class::concatenate:
        case op_class::pad:
        case op_class::update_slice: add_assembled(id, g[id].op->kind == op_class::concatenate); break;
        case op_class::gather: add_picked(id); break;
        case op_class::scatter: add_assembled(id, false); break;
        case op_class::opaque: add_worked(id), add_windows(id); break;
        default: break;
      }
  }

private:
  constexpr factor_map factors(int id) const {
    node const& n = g_[id];
    array_value const* operands[factor_map::most_tensors]{};
    for (int k = 0; k < n.operand_count; ++k) operands[k] = &g_[g_.operand(id, k)].facts;
    return factors_of(*n.op, {*g_.mesh, operands, n.operand_count, n.attrs}, n.facts);
  }
  static constexpr bool is_whole(factor_map const& map, int tensor, int d) {
    int const f = map.first(tensor, d);
    return f >= 0 && map.kind[f] == factor_kind::whole;
  }
  constexpr void add(int id, int d, int k, int operand_dim) { all.push_back({id, d, g_.operand(id, k), operand_dim}); }
  constexpr void add_assembled(int id, bool of_all_operands) {
    factor_map const map = factors(id);
    int const count = of_all_operands ? g_[id].operand_count : 1;
    for (int d = 0; d < g_[id].facts.rank; ++d)
      for (int k = 0; k < count && is_whole(map, map.result(), d); ++k)
        if (map.ranks[k] == g_[id].facts.rank && is_whole(map, k, d)) add(id, d, k, d);
  }
  constexpr void add_picked(int id) {
    factor_map const map = factors(id);
    auto const& runs_along = g_[id].attrs.as<indexing_params>().runs_along;
    for (int d = 0; d < map.ranks[0] && d < runs_along.size(); ++d)
      if (int const r = static_cast<int>(runs_along[d]);
          r >= 0 && is_whole(map, map.result(), r) && is_whole(map, 0, d))
        add(id, r, 0, d);
  }
  // For an operation that works along one dimension and keeps its extent.
  constexpr void add_worked(int id) {
    factor_map const map = factors(id);
    int worked = 0, at = -1;
    for (int d = 0; d < g_[id].facts.rank; ++d)
      if (is_whole(map, map.result(), d)) ++worked, at = d;
    if (worked != 1 || map.ranks[0] != g_[id].facts.rank || !is_whole(map, 0, at)) return;
    if (g_[g_.operand(id, 0)].facts.extent(at) == g_[id].facts.extent(at)) add(id, at, 0, at);
  }
  // For windows: between the dimension that they are cut from and the dimension of their places.
  constexpr void add_windows(int id) {
    op_info const& op = *g_[id].op;
    if (!op.cuts_windows && !op.adds_windows) return;
    ops::window_dims const w = g_[id].attrs.as<ops::window_dims>();
    ops::split_dims const dims(w, g_[op.cuts_windows ? g_.operand(id, 0) : id].facts.rank);
    for (int i = 0; i < w.rank; ++i)
      if (op.cuts_windows)
        add(id, dims.places[i], 0, dims.source[i]);
      else
        add(id, dims.source[i], 0, dims.places[i]);
  }

  graph_view g_;
};

}  // namespace tessera::detail
