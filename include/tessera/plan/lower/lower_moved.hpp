// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations that commute with a change of layout, so that fewer bytes are sent. Partial sums remain partial through a
// reshape, a permute and an addition of windows, if a smaller value, or a part of it, is read afterwards. A cast is
// computed before a move if its result has fewer bytes than its operand, else after it.

#include <tessera/plan/lower/linear_sums.hpp>
#include <tessera/rule/carried_layout.hpp>
#include <tessera/rule/reshape.hpp>

namespace tessera::detail {

class moved_values : public linear_sums {
public:
  using linear_sums::linear_sums;

protected:
  constexpr int permute(int id) {
    node const& n = g_.nodes[id];
    permute_params const to{n.attrs.as<permute_params>().order};
    if (parts_go_on(id)) return sum_of_parts(id, l_.view(*n.op, parts_of(id), to, block(n.facts)), layout(n.facts));
    return l_.view(*n.op, bring(id, 0, permuted(layout(n.facts), to)), to, block(n.facts));
  }

  constexpr int reshape(int id) {
    node const& n = g_.nodes[id];
    array_value const& x = facts(id, 0);
    bool const whole = x.sharded_axes().empty() && n.facts.sharded_axes().empty(), parts = parts_go_on(id);
    if (whole || rule::keeps_blocks(x, n.facts, l_.mesh())) {
      int const from = parts ? parts_of(id) : local(g_.operand(id, 0));
      int const made = as_shape(*n.op, from, block(n.facts));
      return parts ? sum_of_parts(id, made, layout(n.facts)) : made;
    }
    auto const kept = rule::carry(x, n.facts, l_.mesh());
    block_layout made = layout(kept.to);
    made.pending = layout(x).pending;
    if (parts && layout(kept.from) == layout(x))
      return sum_of_parts(id, as_shape(*n.op, parts_of(id), block(kept.to)), made);
    return finish(id, as_shape(*n.op, bring(id, 0, layout(kept.from)), block(kept.to)), made);
  }

  // Whether a cast is computed before or after a change of layout; `made` is then the result.
  constexpr bool casts_elsewhere(int id, int& made) {
    node const& n = g_.nodes[id];
    if (!is_op<ops::cast>(n.op) || !l_.mesh().uneven.empty() || !n.facts.unreduced.empty()) return false;
    int const x = g_.operand(id, 0);
    if (is_moved_later(x)) {
      placed const& there = unfinished(x).partial;
      made = finish(id, l_.emit(*n.op, &there.id, 1, n.attrs, block(n.facts, there.layout)), there.layout);
      return true;
    }
    int const by = reader_of(id);
    if (by < 0 || by >= last_ || g_.nodes[by].op->kind != op_class::reshard || !g_.nodes[by].facts.unreduced.empty())
      return false;
    block_layout const own = layout(n.facts), to = layout(g_.nodes[by].facts);
    if (own == to || bytes_of(facts(id, 0).element) >= bytes_of(n.facts.element)) return false;
    if (is_unfinished(x) && unfinished(x).whole >= 0) return false;
    block_layout const from = is_unfinished(x) ? unfinished(x).partial.layout : layout(facts(id, 0));
    if (!is_no_detour(l_.mesh(), facts(id, 0), from, own, to)) return false;
    int const brought = bring(id, 0, to);
    made = elsewhere(id, {l_.emit(*n.op, &brought, 1, n.attrs, block(n.facts, to)), to});
    return true;
  }
  // Whether this change of layout is only read by a cast to fewer bytes.
  constexpr bool waits_for_cast(int id) const {
    node const& n = g_.nodes[id];
    int const by = reader_of(id), x = g_.operand(id, 0);
    if (by < 0 || by >= last_ || !is_op<ops::cast>(g_.nodes[by].op) || !l_.mesh().uneven.empty() || is_unfinished(x))
      return false;
    return n.op->kind == op_class::reshard && n.facts.unreduced.empty() && facts(id, 0).unreduced.empty() &&
           bytes_of(g_.nodes[by].facts.element) < bytes_of(n.facts.element);
  }

  // Whether the value is kept in another layout, without partial sums: see elsewhere().
  constexpr bool is_moved_later(int id) const {
    return is_unfinished(id) && unfinished(id).whole < 0 && unfinished(id).partial.layout.pending.empty();
  }
  constexpr int moved_later(int id) { return elsewhere(id, {local(g_.operand(id, 0)), layout(facts(id, 0))}); }

  // Whether operand 0 is partial sums in its value's layout, and their sum is read in fewer bytes after this node.
  constexpr bool parts_go_on(int id) const {
    int const x = g_.operand(id, 0);
    if (!is_unfinished(x) || unfinished(x).whole >= 0 || !g_.nodes[id].facts.unreduced.empty()) return false;
    if (!l_.mesh().uneven.empty()) return false;
    block_layout own = layout(facts(id, 0));
    own.pending = unfinished(x).partial.layout.pending;
    return !own.pending.empty() && unfinished(x).partial.layout == own && is_read_smaller(id);
  }
  constexpr int parts_of(int id) { return part_of(g_.operand(id, 0)); }
  // Node id's result on partial sums: partial sums of its value, in layout `there`.
  constexpr int sum_of_parts(int id, int made, block_layout there) {
    unfinished_sum all = unfinished(g_.operand(id, 0));
    there.pending = all.partial.layout.pending;
    all.partial = {made, there};
    return sum(id, all, g_.operand(id, 0));
  }

private:
  constexpr bool is_read_smaller(int id) const {
    if (adds_windows(id)) return true;
    for (int by = reader_of(id); by >= 0 && by < last_; id = by, by = reader_of(by)) {
      op_info const& op = *g_.nodes[by].op;
      if (op.kind == op_class::reshard) return !g_.nodes[by].facts.same_spec(g_.nodes[id].facts);
      if (op.kind == op_class::reduce) return op.reduction == monoid::sum;
      if (op.kind != op_class::reshape && op.kind != op_class::permute) return adds_windows(by);
    }
    return false;
  }
  constexpr bool adds_windows(int id) const {
    op_info const& op = *g_.nodes[id].op;
    return op.call ? op.call->adds_windows : op.adds_windows;
  }

  static constexpr block_layout permuted(block_layout const& made, permute_params const& by) {
    block_layout x = made;
    for (int d = 0; d < made.rank; ++d) x.entry(static_cast<int>(by.order[d])) = made.entry(d);
    return x;
  }
  constexpr int as_shape(op_info const& op, int x, array_value const& made) {
    return l_.view(op, x, reshape_params{made.shape()}, made);
  }
};

}  // namespace tessera::detail
