// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results that are updates of arguments: they have an argument's shape and dtype, and are computed from it element by
// element, by writing parts, or by a loop that carries it. The state of a training step so keeps its layout for the
// next step.

#include <tessera/graph/loop.hpp>

namespace tessera::detail {

class updates {
public:
  constexpr explicit updates(graph_view const& g) : g_(g) { seen_.resize(g.node_count, -1); }

  // The nearest value that `result` updates and for which is(value) is true; -1: none. is(value) is called for
  // arguments and for their with_sharding_constraint.
  template <class Is>
  constexpr int source_of(int result, Is const& is) {
    list_.clear();
    see(result, result);
    for (std::size_t next = 0; next < list_.size(); ++next) {
      int const id = list_[next];
      if (is_source(id)) {
        if (id != result && g_[id].facts.element == g_[result].facts.element && is(id)) return id;
        if (g_[id].operand_count == 0) continue;
      }
      node const& n = g_[id];
      switch (n.op->kind) {
        case op_class::elementwise:
          for (int k = 0; k < n.operand_count; ++k) see(g_.operand(id, k), result);
          break;
        case op_class::identity:
        case op_class::scatter:
        case op_class::update_slice: see(g_.operand(id, 0), result); break;
        case op_class::loop_result: {
          int const loop = g_.operand(id, 0), k = n.attrs.as<result_params>().which;
          if (k < loop_of(g_, loop).carried) see(g_.operand(loop, k), result);
          break;
        }
        default: break;
      }
    }
    return -1;
  }

private:
  constexpr bool is_source(int id) const {
    node const& n = g_[id];
    if (n.op->kind == op_class::identity && n.attrs.has_out) return is_argument(g_.operand(id, 0));
    return is_argument(id);
  }
  constexpr bool is_argument(int id) const { return g_[id].op->kind == op_class::argument; }
  constexpr void see(int id, int result) {
    if (seen_[id] == result || !g_[id].facts.same_shape(g_[result].facts)) return;
    seen_[id] = result;
    list_.push_back(id);
  }

  graph_view g_;
  growable<int> seen_;  // by value: the result for which it was visited last
  growable<int> list_;
};

}  // namespace tessera::detail
