// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which nodes run together. Nodes of equal depth and space that feed each other form a group. Depth grows by one on
// every edge that cannot stay inside a group, so that no group depends on itself. Linear in nodes.
// A group's space is its full local shape. It has values of the full shape, their reductions over the last dimension,
// and row values computed from these: one value per row, until a broadcast restores the full shape.
// Devices of one process read each other's memory. So if a collective is the only reader of its operand, the step that
// computes the operand does the collective, too: a product or reduction also covers the other devices' blocks, a row of
// a group extends over all devices along the axes of its all_reduce, and consecutive moves are one step. A convolution
// and each of its gradients is a step, which reads what its windows are cut from (convolutions.hpp). A concatenation that
// only groups read is not assembled (pieces.hpp).

#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/base/plan_choices.hpp>
#include <tessera/plan/fuse/convolutions.hpp>
#include <tessera/plan/fuse/fusion_node.hpp>
#include <tessera/plan/fuse/pieces.hpp>
#include <tessera/rule/device_groups.hpp>

namespace tessera::detail {

class fusion {
public:
  constexpr fusion(graph_view local, plan_choices const& how) : g_(local), fuse_(how.fuse) {
    nodes_.resize(g_.node_count);
    n_ = nodes_.data();
    for (int id = 0; id < g_.node_count; ++id) {
      n_[id].value = id;
      n_[id].group = id;
      for (int k = 0; k < g_.nodes[id].operand_count; ++k) ++n_[g_.operand(id, k)].readers;
    }
    for (int i = 0; i < g_.output_count; ++i) ++n_[g_.outputs[i]].readers;
    if (fuse_) find_long_rows();
    if (fuse_ && convolutions_are_steps) find_convolutions();
    for (int id = 0; id < g_.node_count; ++id) place(id);
    if (fuse_) sink();
    for (int id = 0; id < g_.node_count; ++id)
      if (n_[id].is == role::fused) join(id);
    if (fuse_) pieces_finder(g_, n_, how.in_pieces).find([this](int id) { return group_of(id); });
    for (int id = 0; id < g_.node_count; ++id) mark_stored(id);
    for (int i = 0; i < g_.output_count; ++i) store(g_.outputs[i]);
  }

  constexpr fusion_node& at(int id) { return n_[id]; }
  constexpr fusion_node const& at(int id) const { return n_[id]; }
  constexpr int group_of(int id) {
    while (n_[id].group != id) id = n_[id].group = n_[n_[id].group].group;
    return id;
  }
  // The node of id's group whose register holds `operand`; -1: `operand` is loaded.
  constexpr int in_group(int id, int operand) {
    int const value = n_[operand].value;
    return n_[value].is == role::fused && group_of(value) == group_of(id) ? value : -1;
  }
  // The node whose operands the step of `id` reads, if it is no convolution.
  constexpr int computed_by(int id) const { return n_[id].is == role::alone && n_[id].takes >= 0 ? n_[id].takes : id; }
  constexpr bool is_convolution(int id) const { return n_[id].convolution >= 0; }
  // What the step of `id` reads: `reads(id)` values.
  constexpr int reads(int id) const { return is_convolution(id) ? 2 : g_.nodes[computed_by(id)].operand_count; }
  constexpr int read(int id, int k) const {
    if (!is_convolution(id)) return g_.operand(computed_by(id), k);
    convolution const& c = convolutions_.all[n_[id].convolution];
    return k == 0 ? c.first : c.second;
  }
  // What a step reads of its operand x: the operands of a concatenation that has no memory, or x.
  constexpr int pieces(int x) const { return n_[x].is == role::pieces ? g_.nodes[x].operand_count : 1; }
  constexpr int piece(int x, int p) const { return n_[x].is == role::pieces ? g_.operand(x, p) : x; }
  // The node whose memory x reads, through views.
  constexpr int base(int x) const {
    while (n_[x].is == role::view) x = g_.operand(x, 0);
    return x;
  }
  // Whether x has the shape of the space's rows: without its last dimension, or with extent 1 there.
  constexpr bool is_row_of(int x, int space) const {
    array_value const &own = g_.nodes[x].facts, &full = g_.nodes[space].facts;
    if (full.rank == 0 || !(own.varying == full.varying - n_[space].across)) return false;
    bool const kept = own.rank == full.rank && own.extent(own.rank - 1) == 1 && full.extent(own.rank - 1) != 1;
    if (!kept && own.rank != full.rank - 1) return false;
    for (int d = 0; d < full.rank - 1; ++d)
      if (own.extent(d) != full.extent(d)) return false;
    return true;
  }

private:
  static constexpr int most_together = 96;  // nodes of a group: so many registers stay in the L1 cache

  constexpr bool same_space(int a, int b) const {
    return a == b ||
           (g_.nodes[a].facts.same_shape(g_.nodes[b].facts) && g_.nodes[a].facts.varying == g_.nodes[b].facts.varying);
  }
  constexpr bool is_index(int id) const {
    return g_.nodes[id].op->kind == op_class::iota || g_.nodes[id].op->kind == op_class::axis_index;
  }

  constexpr void place(int id) {
    if (n_[id].is == role::absorbed) return;
    if (is_convolution(id)) return alone(id);
    switch (g_.nodes[id].op->kind) {
      case op_class::argument: return;
      case op_class::literal:
      case op_class::iota:
      case op_class::axis_index: n_[id].is = role::constant; return;
      case op_class::elementwise: return elementwise(id);
      case op_class::reduce: return reduction(id);
      case op_class::identity: return changes_memory(g_, id) ? alone(id) : copy(id);
      case op_class::broadcast:
      case op_class::reshape: return view(id, stays_in_registers(id));
      case op_class::permute:
      case op_class::slice:
      case op_class::shard_slice: return view(id, false);
      case op_class::collective: return exchange(id);
      case op_class::opaque_part: return part(id);
      default: return alone(id);
    }
  }
  constexpr void part(int id) {
    n_[id].is = role::part;
    n_[id].depth = n_[g_.operand(id, 0)].depth;
  }

  constexpr void find_convolutions() {
    convolutions_.find(g_);
    for (std::size_t i = 0; i < convolutions_.all.size(); ++i)
      n_[convolutions_.results[i]].convolution = static_cast<int>(i);
    for (int id : convolutions_.absorbed) n_[id].is = role::absorbed;
  }

  // The axes over which x is all-reduced by its own monoid in node `by`, its only reader; empty if it is not.
  constexpr axis_set combined_over(int x, int by) const {
    if (by < 0 || n_[x].readers != 1 || g_.nodes[by].operand_count > 1 ||
        g_.nodes[by].op->message != collective::all_reduce || g_.nodes[by].op->reduction != g_.nodes[x].op->reduction ||
        !(g_.nodes[by].facts.varying & g_.nodes[by].attrs.as<collective_params>().axes).empty() || crosses(by))
      return {};
    return g_.nodes[by].attrs.as<collective_params>().axes;
  }
  // Rows extend over other devices if all reductions of a space are combined over the same axes.
  constexpr void find_long_rows() {
    growable<int> reader, spaces;
    reader.resize(g_.node_count, -1);
    bool any = false;
    for (int id = 0; id < g_.node_count; ++id)
      if (g_.nodes[id].op->kind == op_class::collective) reader[g_.operand(id, 0)] = id;
    for (int id = 0; id < g_.node_count; ++id) {
      if (g_.nodes[id].op->kind != op_class::reduce || !reduces_rows(id)) continue;
      axis_set const axes = combined_over(id, reader[id]);
      int const x = g_.operand(id, 0);
      bool known = false;
      for (int s : spaces)
        if (same_space(s, x)) {
          known = true;
          if (!(n_[s].across == axes)) n_[s].across = {};
        }
      if (known) continue;
      spaces.push_back(x);
      n_[x].across = axes;
      any = any || !axes.empty();
    }
    for (int id = 0; any && id < g_.node_count; ++id)
      for (int s : spaces)
        if (same_space(s, id)) n_[id].across = n_[s].across;
  }
  constexpr void exchange(int id) {
    int const x = g_.operand(id, 0);
    auto const message = g_.nodes[id].op->message;
    auto const kind = g_.nodes[x].op->kind;
    if (!fuse_ || n_[x].readers != 1 || g_.nodes[id].operand_count > 1 || table_of(g_.nodes[id].attrs) ||
        is_convolution(x))
      return alone(id);
    if (n_[x].is == role::fused && kind == op_class::reduce && n_[x].row && !n_[n_[x].space].across.empty()) {
      n_[id].takes = x;
      return fused(id, n_[x].space, true, {n_[x].depth, true, true, n_[x].space});
    }
    if (n_[x].is == role::alone && moves_blocks(id) && moves_blocks(x)) return absorb(id, x);
    bool const sums = message == collective::all_reduce && g_.nodes[id].op->reduction == monoid::sum;
    bool const product = kind == op_class::dot && (sums || message == collective::reduce_scatter);
    bool const combines = message == collective::all_reduce || message == collective::reduce_scatter;
    bool const reduction =
        kind == op_class::reduce && combines && g_.nodes[id].op->reduction == g_.nodes[x].op->reduction;
    if (n_[x].is != role::alone || !(product || reduction)) return alone(id);
    // The step adds up the blocks of this process; those of other processes come as a message.
    bool const local = !crosses(id) || (message == collective::all_reduce && !g_.mesh->processes->reproducible);
    if (!local) return alone(id);
    absorb(id, x);
  }
  // Whether the collective joins devices of several processes.
  constexpr bool crosses(int id) const { return !(axes_crossed(g_.nodes[id].attrs) & g_.mesh->remote()).empty(); }
  constexpr void absorb(int id, int x) {
    n_[x].is = role::absorbed;
    n_[id].is = role::alone;
    n_[id].takes = n_[x].takes >= 0 ? n_[x].takes : x;
    n_[id].depth = n_[x].depth;
  }
  // Whether a collective only moves blocks of its operand, and does not combine them.
  constexpr bool moves_blocks(int id) const {
    auto const message = g_.nodes[id].op->message;
    bool const moves =
        message == collective::all_gather || message == collective::all_to_all || message == collective::permute;
    return moves && !table_of(g_.nodes[id].attrs);  // among all devices along the axes
  }

  constexpr void alone(int id) {
    n_[id].is = role::alone;
    for (int k = 0; k < reads(id); ++k) deepen(id, n_[read(id, k)].depth + 1);
    deepen(id, 0);
  }
  constexpr void deepen(int id, int depth) {
    if (n_[id].depth < depth) n_[id].depth = depth;
  }
  constexpr void view(int id, bool in_registers) {
    fusion_node const& from = n_[g_.operand(id, 0)];
    n_[id].is = role::view;
    n_[id].depth = from.depth;
    if (!in_registers) return;
    n_[id].value = from.value;
    n_[id].space = from.space;
    n_[id].row = true;
  }
  // Whether a view of a row value has the shape of its space's rows, with a column of extent 1 or without, or the full
  // shape.
  constexpr bool stays_in_registers(int id) {
    fusion_node const& from = n_[g_.operand(id, 0)];
    if (!fuse_ || !from.row) return false;
    bool in_order = true;
    if (node const& n = g_.nodes[id]; n.op->kind == op_class::broadcast) {
      extents_list const& dims = n.attrs.as<broadcast_params>().dims;
      for (int i = 0; i < dims.size(); ++i) in_order = in_order && dims[i] == i;
    }
    return in_order &&
           (is_row_of(id, from.space) || (g_.nodes[id].op->kind == op_class::broadcast && fills(id, from.space)));
  }
  // Whether a row value at full shape is the same over the axes along which rows extend.
  constexpr bool fills(int id, int space) const {
    array_value const &own = g_.nodes[id].facts, &full = g_.nodes[space].facts;
    return own.same_shape(full) && own.varying == full.varying - n_[space].across;
  }

  // Whether the edge from `operand` can stay inside a group of this space. `row`: its reader is a row value.
  constexpr bool joins(int operand, int space, bool row) const {
    if (!fuse_) return false;
    fusion_node const& from = n_[n_[operand].value];
    if (from.is != role::fused || !same_space(from.space, space)) return false;
    return from.row ? !row || is_row_of(operand, space) : !row;
  }
  constexpr bool joins(int id, int operand) const {
    if (n_[id].takes == operand) return n_[id].is == role::fused;
    bool const row = n_[id].row && g_.nodes[id].op->kind != op_class::reduce;
    return !n_[id].apart && joins(operand, n_[id].space, row);
  }
  struct choice {
    int depth = 0;
    bool possible = true, joined = false;
    int space = -1;  // of an operand that joins
  };
  constexpr choice judge(int id, int space, bool row) const {
    choice c;
    for (int k = 0; k < g_.nodes[id].operand_count; ++k) {
      int const x = g_.operand(id, k);
      if (n_[x].is == role::constant) {
        if (row && is_index(x)) c.possible = false;
        continue;
      }
      bool const inside = joins(x, space, row);
      int const depth = n_[x].depth + (inside ? 0 : 1);
      if (depth > c.depth || (depth == c.depth && inside)) c.joined = inside;
      if (inside) c.space = n_[n_[x].value].space;
      if (depth > c.depth) c.depth = depth;
    }
    return c;
  }

  // As a row value in the space of a row value that it reads, if it then joins a group; else in its own space.
  constexpr void elementwise(int id) {
    choice const own = judge(id, id, false);
    for (int k = 0; fuse_ && k < g_.nodes[id].operand_count; ++k) {
      fusion_node const& from = n_[g_.operand(id, k)];
      if (!from.row || !is_row_of(id, from.space)) continue;
      choice const row = judge(id, from.space, true);
      if (row.possible && row.joined && row.depth <= own.depth) return fused(id, from.space, true, row);
    }
    fused(id, id, false, own);
  }

  // Reductions over the last dimension only are in a group, if rows are many or short. Others are steps.
  constexpr bool reduces_rows(int id) const {
    array_value const& x = g_.nodes[g_.operand(id, 0)].facts;
    extents_list const& dims = g_.nodes[id].attrs.as<reduce_params>().dims;
    if (x.rank == 0 || dims.size() != 1 || dims[0] != x.rank - 1) return false;
    auto const length = x.extent(x.rank - 1);
    return length <= 8192 || x.size() == dynamic || x.size() / length >= 64;
  }
  constexpr void reduction(int id) {
    int const operand = g_.operand(id, 0);
    if (!reduces_rows(id)) return alone(id);
    fused(id, operand, true, judge(id, operand, false));
  }

  // A copy is an instruction if it stores a register: of a constant, or of a row value at full shape.
  constexpr void copy(int id) {
    int const operand = g_.operand(id, 0);
    if (n_[base(operand)].is != role::constant && !joins(operand, id, false)) return alone(id);
    fused(id, id, false, judge(id, id, false));
  }

  constexpr void fused(int id, int space, bool row, choice const& chosen) {
    fusion_node& n = n_[id];
    n.is = role::fused;
    n.row = row;
    n.depth = chosen.depth;
    n.space = chosen.space >= 0 ? chosen.space : space;
    if (++n_[n.space].size <= most_together || row) return;
    n.space = space;
    n.apart = true;
    for (int k = 0; k < g_.nodes[id].operand_count; ++k) deepen(id, n_[g_.operand(id, k)].depth + 1);
  }

  // A fused node that nothing reads at its depth joins its first reader: a value that only a backward pass reads is not
  // computed and kept in the forward pass. Readers come first, so that their depths are final.
  constexpr void sink() {
    struct bound {
      int depth = 1 << 30;
      bool joins = false;
    };
    growable<bound> latest;
    latest.resize(g_.node_count);
    for (int i = 0; i < g_.output_count; ++i) latest[g_.outputs[i]].depth = n_[g_.outputs[i]].depth;
    for (int id = g_.node_count - 1; id >= 0; --id) {
      fusion_node& n = n_[id];
      bound const own = latest[id];
      if (n.is == role::fused && own.joins && own.depth > n.depth) n.depth = own.depth;
      for (int k = 0; k < g_.nodes[id].operand_count; ++k) {
        int const x = g_.operand(id, k);
        bound here{n.depth, false};
        if (n.is == role::view)
          here = {own.depth, own.joins && n.value != id};
        else if (n.is == role::absorbed && n.depth < 0)
          here = {own.depth, false};
        else if (n.is == role::fused && joins(id, x))
          here.joins = true;
        else
          --here.depth;
        bound& late = latest[x];
        if (here.depth < late.depth || (here.depth == late.depth && here.joins)) late = here;
      }
    }
  }

  constexpr void join(int id) {
    for (int k = 0; k < g_.nodes[id].operand_count; ++k) {
      int const value = n_[g_.operand(id, k)].value;
      if (n_[value].depth == n_[id].depth && joins(id, g_.operand(id, k))) unite(value, id);
    }
    if (fuse_ && g_.nodes[n_[id].space].facts.rank == 0) unite_scalars(id);
  }
  constexpr void unite(int a, int b) {
    a = group_of(a);
    b = group_of(b);
    if (a != b) n_[a].group = b;
  }
  // Scalars of one depth are computed by one step, whether or not they depend on each other.
  constexpr void unite_scalars(int id) {
    std::size_t const depth = n_[id].depth;
    if (scalars_.size() <= depth) scalars_.resize(depth + 1, -1);
    if (scalars_[depth] < 0)
      scalars_[depth] = id;
    else if (same_space(scalars_[depth], id))
      unite(scalars_[depth], id);
  }

  // A value needs memory if anything but its own group reads it.
  constexpr void mark_stored(int id) {
    role const is = n_[id].is;
    if (is != role::fused && is != role::alone) return;
    for (int k = 0; k < reads(id); ++k) {
      int const x = read(id, k);
      if (is == role::alone || in_group(id, x) < 0)
        for (int p = 0; p < pieces(x); ++p) store(piece(x, p));
    }
  }
  constexpr void store(int id) {
    for (; n_[id].is == role::view; id = g_.operand(id, 0)) n_[id].stored = true;
    n_[id].stored = true;
  }

  graph_view g_;
  bool fuse_;
  growable<fusion_node> nodes_;
  fusion_node* n_ = nullptr;  // its items, accessed without a call
  convolution_list convolutions_;
  growable<int> scalars_;  // by depth: a node of the group of scalars
};

}  // namespace tessera::detail
