// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which nodes run together. Nodes of one depth and one space that feed each other form a group; depth grows by one on
// every edge that cannot stay inside a group, so that no group waits for itself. Linear in nodes.

#include <tessera/plan/plan.hpp>

namespace tessera::detail {

enum class role : std::uint8_t {
  source,  // arguments; literals, which are instructions wherever they are used
  view,    // strides over its operand's memory; a row value seen at full shape stays in its group, too
  fused,   // an instruction of a group
  alone,   // a step of its own
};

struct fusion_node {
  role is = role::source;
  bool row = false;       // one value for each row of the space
  bool stored = false;    // needs memory
  int depth = 0;
  int space = -1;         // a node whose local shape is the group's space
  int group = -1;         // parent in the forest of groups; a root names the group
  int value = -1;         // through views that stay in registers: the node that computes it
};

class fusion {
 public:
  growable<fusion_node> nodes;

  // fuse false: one step a node.
  constexpr fusion(graph_view local, bool fuse) : g_(local), fuse_(fuse) {
    nodes.resize(static_cast<std::size_t>(g_.node_count));
    for (int id = 0; id < g_.node_count; ++id) {
      at(id).value = id;
      at(id).group = id;
      place(id);
    }
    for (int id = 0; id < g_.node_count; ++id) mark_stored(id);
    for (int i = 0; i < g_.output_count; ++i) at(g_.outputs[i]).stored = true;
  }

  constexpr fusion_node& at(int id) { return nodes[static_cast<std::size_t>(id)]; }
  constexpr int group_of(int id) {
    while (at(id).group != id) id = at(id).group = at(at(id).group).group;
    return id;
  }
  // The register that operand `k` of a fused node is in, as a node of the same group; -1: it is loaded.
  constexpr int in_group(int id, int operand) {
    int const value = at(operand).value;
    return at(value).is == role::fused && group_of(value) == group_of(id) ? value : -1;
  }

 private:
  constexpr array_value const& facts(int id) const { return g_[id].facts; }
  constexpr bool is_literal(int id) const { return g_[id].op->kind == op_class::literal; }

  constexpr bool same_space(int a, int b) const {
    return a == b || (facts(a).same_shape(facts(b)) && facts(a).varying == facts(b).varying);
  }
  // x's shape is the space's without its last dimension, or with extent 1 there.
  constexpr bool is_row_of(int x, int space) const {
    array_value const &own = facts(x), &full = facts(space);
    if (!(own.varying == full.varying) || full.rank == 0) return false;
    if (own.rank != full.rank - 1 && !(own.rank == full.rank && own.extent(own.rank - 1) == 1)) return false;
    for (int d = 0; d < full.rank - 1; ++d)
      if (own.extent(d) != full.extent(d)) return false;
    return true;
  }
  constexpr bool over_last_only(int id) const {
    int const rank = facts(g_.operand(id, 0)).rank;
    return g_[id].attrs.first.size() == 1 && g_[id].attrs.first[0] == rank - 1;
  }

  constexpr void place(int id) {
    switch (g_[id].op->kind) {
      case op_class::argument:
      case op_class::literal: return;
      case op_class::iota: return fused(id, id, false);
      case op_class::elementwise: return elementwise(id);
      case op_class::reduce:
        if (over_last_only(id)) return reduction(id);
        return alone(id);
      case op_class::broadcast:
      case op_class::reshape: return view(id, stays_in_registers(id));
      case op_class::permute:
      case op_class::slice:
      case op_class::shard_slice: return view(id, false);
      default: return alone(id);
    }
  }

  constexpr void alone(int id) {
    at(id).is = role::alone;
    for (int k = 0; k < g_[id].operand_count; ++k) deepen(id, at(g_.operand(id, k)).depth + 1);
  }
  constexpr void view(int id, bool in_registers) {
    at(id).is = role::view;
    int const operand = g_.operand(id, 0);
    at(id).depth = at(operand).depth;
    if (in_registers) {
      at(id).value = at(operand).value;
      at(id).space = at(operand).space;
      at(id).row = true;
    }
  }
  constexpr void deepen(int id, int depth) {
    if (at(id).depth < depth) at(id).depth = depth;
  }

  // A row value, seen along the rows of its own space or as a column of extent 1.
  constexpr bool stays_in_registers(int id) {
    int const operand = g_.operand(id, 0);
    fusion_node const& from = at(operand);
    if (!fuse_ || !from.row || from.space < 0) return false;
    if (is_row_of(id, from.space)) return g_[id].op->kind == op_class::reshape || in_order(id);
    return same_space(id, from.space) && g_[id].op->kind == op_class::broadcast && in_order(id);
  }
  constexpr bool in_order(int id) const {
    for (int i = 0; i < g_[id].attrs.first.size(); ++i)
      if (g_[id].attrs.first[i] != i) return false;
    return true;
  }

  constexpr void elementwise(int id) {
    // At row level in the space of a row value it reads, else at full shape in its own space.
    int space = id;
    bool row = false;
    for (int k = 0; fuse_ && k < g_[id].operand_count; ++k) {
      fusion_node const& from = at(g_.operand(id, k));
      if (from.row && from.space >= 0 && is_row_of(id, from.space) && (!row || from.depth > at(space).depth)) {
        space = from.space;
        row = true;
      }
    }
    fused(id, space, row);
  }

  constexpr void reduction(int id) {
    int const operand = g_.operand(id, 0);
    fused(id, at(operand).is == role::fused && !at(operand).row && same_space(operand, at(operand).space) ? at(operand).space : operand, true);
  }

  constexpr void fused(int id, int space, bool row) {
    at(id).is = role::fused;
    at(id).row = row;
    at(id).space = space;
    for (int k = 0; k < g_[id].operand_count; ++k) {
      int const operand = g_.operand(id, k);
      if (is_literal(operand)) continue;
      deepen(id, at(operand).depth + (joins(id, operand) ? 0 : 1));
    }
    for (int k = 0; k < g_[id].operand_count; ++k) {
      int const operand = g_.operand(id, k);
      if (is_literal(operand) || !joins(id, operand)) continue;
      int const value = at(operand).value;
      if (at(value).depth == at(id).depth) at(group_of(value)).group = group_of(id);
    }
  }
  // The edge from `operand` can stay inside a group with id.
  constexpr bool joins(int id, int operand) {
    if (!fuse_) return false;
    fusion_node const &from = at(at(operand).value), &to = at(id);
    if (from.is != role::fused || !same_space(from.space, to.space)) return false;
    if (from.row) return to.row ? operand_is_row(operand) : true;
    return g_[id].op->kind == op_class::reduce ? true : !to.row;
  }
  constexpr bool operand_is_row(int operand) { return at(operand).row; }

  // A value needs memory when anything but its own group reads it.
  constexpr void mark_stored(int id) {
    if (at(id).is == role::source) return;
    for (int k = 0; k < g_[id].operand_count; ++k) {
      int const operand = g_.operand(id, k);
      if (at(id).is == role::fused && (is_literal(operand) || in_group(id, operand) >= 0)) continue;
      if (at(id).is == role::view && at(id).value != id) continue;  // decided by its readers
      store(operand);
    }
  }
  constexpr void store(int id) {
    while (true) {
      at(id).stored = true;
      if (at(id).is != role::view) return;
      id = g_.operand(id, 0);
    }
  }

  graph_view g_;
  bool fuse_;
};

}  // namespace tessera::detail
