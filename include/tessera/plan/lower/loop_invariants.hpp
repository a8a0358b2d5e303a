// SPDX-License-Identifier: Apache-2.0
#pragma once
// What no turn of a loop changes is computed and sent once before it: operations on values from outside of the loop
// that may send, or whose results a turn would write to memory, and what they read. Nothing leaves a branch of several,
// a kernel, or a pair of an asynchronous collective.

#include <tessera/graph/loop.hpp>

namespace tessera::detail {

// Whether a region runs more than once, or may.
constexpr bool repeats(loop_shape const& loop) {
  return loop.kind == loop_kind::while_ || (loop.kind == loop_kind::scan && loop.length != 0);
}

class loop_invariants {
public:
  constexpr explicit loop_invariants(graph_view global) : g_(global) {
    if (g_.region_count == 0) return;
    find_regions();
    find_targets();
    for (int id = g_.node_count - 1; id >= 0; --id)
      if (moves(id) || (target_[id] != home_[id] && is_worth(id))) move(id);
    for (int id = 0; id < g_.node_count; ++id)
      if (moves(id)) home_[id] = target_[id];
  }

  constexpr bool empty() const { return home_.empty(); }
  // The region in which a node is computed; -1: the program itself.
  constexpr int home(int id) const { return empty() ? -1 : home_[id]; }
  // Whether that is outside of the region that has it.
  constexpr bool moves(int id) const { return !empty() && moves_[id]; }

private:
  constexpr void find_regions() {
    home_.resize(g_.node_count, -1);
    loop_.resize(g_.region_count, -1);
    depth_.resize(g_.region_count, 0);
    for (int id = 0; id < g_.node_count; ++id)
      for (int r = 0; r < g_[id].region_count; ++r) {
        graph_region const& part = g_.part(id, r);
        loop_[g_[id].first_region + r] = id;
        for (int n = part.first_node; n < part.first_node + part.node_count; ++n)
          if (home_[n] < 0) home_[n] = g_[id].first_region + r;
      }
    for (int id = g_.node_count - 1; id >= 0; --id)  // those around a loop first
      for (int r = 0; r < g_[id].region_count; ++r) depth_[g_[id].first_region + r] = depth(home_[id]) + 1;
  }
  constexpr int depth(int region) const { return region < 0 ? 0 : depth_[region]; }

  // The outermost region in which each node could be computed.
  constexpr void find_targets() {
    target_ = home_;
    moves_.resize(g_.node_count, false);
    for (int id = 0; id < g_.node_count; ++id) {
      int inner = -1;
      for (int k = 0; k < g_[id].operand_count; ++k)
        if (int const x = g_.operand(id, k); depth(target_[x]) > depth(inner)) inner = target_[x];
      if (home_[id] >= 0 && is_pure(id)) target_[id] = outside(home_[id], inner);
    }
    find_memory_reads();
  }
  constexpr bool is_pure(int id) const {
    op_info const& op = *g_[id].op;
    switch (op.kind) {
      case op_class::argument:
      case op_class::loop:
      case op_class::loop_result:
      case op_class::effect:
      case op_class::rule: return false;
      default: return !op.act && op.pair == pair_half::none && g_[id].region_count == 0;
    }
  }
  // From region `from` to outside of all loops within `inner`.
  constexpr int outside(int from, int inner) const {
    int found = from;
    for (int r = from; r >= 0 && depth(r) > depth(inner);) {
      int const loop = loop_[r];
      if (g_[loop].op->kind != op_class::loop) break;
      loop_shape const& shape = loop_of(g_, loop);
      bool const again = repeats(shape);
      if (!again && !(shape.kind == loop_kind::branch && g_[loop].region_count == 1)) break;
      r = home_[loop];
      if (again) found = r;
    }
    return found;
  }

  // Marks elementwise results that are read from memory, or in another layout.
  constexpr void find_memory_reads() {
    in_memory_.resize(g_.node_count, false);
    for (int id = 0; id < g_.node_count; ++id)
      for (int k = 0; k < g_[id].operand_count; ++k) {
        int const x = g_.operand(id, k);
        if (reads_memory(id) || (g_[id].op->kind == op_class::elementwise && moves_layout(id, x))) in_memory_[x] = true;
      }
  }
  constexpr bool reads_memory(int id) const {
    switch (g_[id].op->kind) {
      case op_class::dot:
      case op_class::gather:
      case op_class::scatter:
      case op_class::opaque:
      case op_class::loop: return true;
      default: return false;
    }
  }
  constexpr bool moves_layout(int id, int x) const {
    return !g_[x].facts.sharded_axes().empty() && !g_[x].facts.same_spec(g_[id].facts);
  }
  constexpr bool is_worth(int id) const {
    node const& n = g_[id];
    switch (n.op->kind) {
      case op_class::reduce:
      case op_class::dot:
      case op_class::gather:
      case op_class::scatter:
      case op_class::opaque: return true;
      case op_class::collective: return n.op->message != collective::none;
      case op_class::elementwise: return in_memory_[id] && n.facts.rank > 0;
      case op_class::literal:
      case op_class::iota:
      case op_class::axis_index:
      case op_class::broadcast:
      case op_class::identity: return false;
      default: return is_split(id);
    }
  }
  // Whether a change of shape or layout may send.
  constexpr bool is_split(int id) const {
    for (int k = 0; k < g_[id].operand_count; ++k)
      if (array_value const& x = g_[g_.operand(id, k)].facts; !(x.sharded_axes() | x.unreduced).empty()) return true;
    return false;
  }
  constexpr void move(int id) {
    moves_[id] = true;
    for (int k = 0; k < g_[id].operand_count; ++k)
      if (int const x = g_.operand(id, k); target_[x] != home_[x]) moves_[x] = true;
  }

  graph_view g_;
  growable<int> home_, target_;  // by node
  growable<int> loop_, depth_;   // by region: the node that runs it, the number of regions around it and itself
  growable<bool> moves_, in_memory_;
};

}  // namespace tessera::detail
