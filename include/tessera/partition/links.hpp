// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which dimensions of a program's values correspond to each other: the factors of its operations, and the values that
// loops and borders connect. Layouts are propagated along these links.

#include <tessera/graph/loop.hpp>
#include <tessera/graph/node_factors.hpp>

namespace tessera::detail {

// A dimension of a value, or a factor of one.
struct link_place {
  int value = -1;
  int dim = -1;
  std::int64_t before = 1;  // the product of the more major factors of that dimension
  axis_set outside{};       // axes of a shard_map that split the value outside of its border only
};

// The places of one factor, which are split alike.
struct link {
  int node = -1;  // the operation
  factor_kind kind{};
  bool plain = false;  // of an operation that only passes its elements on
  std::int64_t extent = 0;
  int first = 0, count = 0;  // range in the list of places
  bool whole_dims = true;    // its places are whole dimensions
  int group = -1;            // of dimensions that are split alike through any operations: dimension_groups
};

class links {
public:
  growable<link> all;
  growable<link_place> places;
  growable<int> of_value;  // the links in which each value has places, value by value
  growable<int> first_of;  // where each value's links begin; one more at the end

  constexpr explicit links(graph_view const& g) : g_(g) {
    all.reserve(3 * g.node_count);
    places.reserve(8 * g.node_count);
    for (int id = 0; id < g.node_count; ++id) {
      node const& n = g[id];
      if (n.op->kind == op_class::loop)
        tie_loop(id);
      else if (n.operand_count > 0 && n.op->kind != op_class::loop_result)
        tie_operands(id);
    }
    list_by_value();
  }

private:
  constexpr void list_by_value() {
    std::size_t const values = g_.node_count;
    growable<int> next;
    first_of.resize(values + 1, 0);
    for (link_place const& p : places) ++first_of[p.value + 1];
    for (std::size_t v = 0; v < values; ++v) {
      next.push_back(first_of[v]);
      first_of[v + 1] += first_of[v];
    }
    of_value.resize(places.size(), 0);
    for (std::size_t l = 0; l < all.size(); ++l)
      for (int i = 0; i < all[l].count; ++i) of_value[next[places[all[l].first + i].value]++] = static_cast<int>(l);
  }
  constexpr void open(int id, factor_kind kind, std::int64_t extent, bool plain) {
    link made;
    made.node = id;
    made.kind = kind;
    made.extent = extent;
    made.plain = plain;
    made.first = static_cast<int>(places.size());
    all.push_back(made);
  }
  constexpr void add(int value, int dim, std::int64_t before = 1, axis_set outside = {}) {
    link_place made;
    made.value = value;
    made.dim = dim;
    made.before = before;
    made.outside = outside;
    places.push_back(made);
    link& l = all.back();
    ++l.count;
    l.whole_dims = l.whole_dims && before == 1 && outside.empty() && l.extent == g_[value].facts.extent(dim);
  }
  // A link of fewer than two places is dropped.
  constexpr void close() {
    if (all.back().count > 1) return;
    while (all.back().count-- > 0) places.pop_back();
    all.pop_back();
  }

  static constexpr bool is_plain(op_class kind) {
    switch (kind) {
      case op_class::reduce:
      case op_class::dot:
      case op_class::gather:
      case op_class::scatter:
      case op_class::opaque:
      case op_class::collective: return false;
      default: return true;
    }
  }
  constexpr void tie_operands(int id) {
    node const& n = g_[id];
    array_value const* operands[factor_map::most_tensors]{};
    for (int k = 0; k < n.operand_count; ++k) operands[k] = &g_[g_.operand(id, k)].facts;
    factor_map const map = factors_of(*n.op, {*g_.mesh, operands, n.operand_count, n.attrs}, n.facts);
    bool const plain = is_plain(n.op->kind);
    for (int f = 0; f < map.count; ++f) {
      if (map.kind[f] == factor_kind::whole) continue;
      open(id, map.kind[f], map.extent[f], plain);
      for (int t = 0; t < map.tensors; ++t) {
        int const value = t == map.result() ? id : g_.operand(id, t);
        bool const outer = n.op->kind == (t == 0 ? op_class::enter : op_class::leave);
        for (int d = 0; d < map.ranks[t]; ++d) {
          dim_factors const factors = map.of(t, d);
          std::int64_t before = 1;
          for (int k = 0; factors[k] >= 0; ++k) {
            if (factors[k] == f) add(value, d, before, outer ? n.attrs.as<shard_map_params>().axes : axis_set{});
            before *= map.extent[factors[k]];
          }
        }
      }
      close();
    }
    if (n.op->kind == op_class::scatter || n.op->kind == op_class::update_slice) tie_written(id, map);
  }
  // Elements are written where they are: the result is split as operand 0 is, also along dimensions of the places.
  constexpr void tie_written(int id, factor_map const& map) {
    for (int d = 0; d < g_[id].facts.rank; ++d) {
      if (map.kind[map.first(map.result(), d)] != factor_kind::whole) continue;
      open(id, factor_kind::passed, g_[id].facts.extent(d), true);
      add(g_.operand(id, 0), d);
      add(id, d);
      close();
    }
  }
  // Links dimension d of a carried value at all its places, of a slice and its stack, and of the results of branches.
  constexpr void tie_loop(int id) {
    loop_shape const& shape = g_[id].attrs.as<loop_shape>();
    if (shape.kind == loop_kind::grid) return;  // its operands and results are whole on each device
    graph_region const& body = g_.part(id, shape.body());
    results_.clear();
    for (int r = id + 1; r < g_.node_count; ++r)
      if (g_[r].op->kind == op_class::loop_result && g_.operand(r, 0) == id) results_.push_back(r);
    for (int k = 0; k < shape.carried + shape.sliced; ++k) {
      bool const carried = k < shape.carried;
      array_value const& inside = g_[g_.input(body, k)].facts;
      for (int d = 0; d < inside.rank; ++d) {
        open(id, factor_kind::passed, inside.extent(d), true);
        add(g_.operand(id, k), carried ? d : d + 1);
        add(g_.input(body, k), d);
        if (carried) {
          if (shape.kind == loop_kind::while_) add(g_.input(g_.part(id, 0), k), d);
          add(g_.output(body, k), d);
          add_results(k, d);
        }
        close();
      }
    }
    for (int k = shape.carried; k < body.output_count; ++k) {
      array_value const& slice = g_[g_.output(body, k)].facts;
      for (int d = 0; d < slice.rank; ++d) {
        open(id, factor_kind::passed, slice.extent(d), true);
        if (shape.kind == loop_kind::branch)
          for (int r = 0; r < g_[id].region_count; ++r) add(g_.output(g_.part(id, r), k), d);
        else
          add(g_.output(body, k), d);
        add_results(k, shape.kind == loop_kind::scan ? d + 1 : d);
        close();
      }
    }
  }
  constexpr void add_results(int k, int d) {
    for (int r : results_)
      if (g_[r].attrs.as<result_params>().which == k) add(r, d);
  }

  graph_view g_;
  growable<int> results_;  // of the current loop
};

}  // namespace tessera::detail
