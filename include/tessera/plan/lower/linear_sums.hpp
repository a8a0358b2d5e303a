// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix products leave partial sums. Linear operations on partial sums that nothing else reads (x + y, x - y, -x, x *
// c, x / c for a scalar c, and changes of layout) are computed on the partial sums, which are added up once after all
// of them. This never sends more bytes than adding up each operand by itself: the sum goes from the layout of the
// partial sums to the layout in which it is read.

#include <tessera/plan/lower/lower_dot.hpp>
#include <tessera/plan/lower/lowered_values.hpp>

namespace tessera::detail {

class linear_sums : public lowered_values {
public:
  using lowered_values::lowered_values;

protected:
  constexpr int product(int id) {
    product_planner plan(l_, g_.nodes[id], facts(id, 0), facts(id, 1));
    l_.change.operand = 0;
    int const x = brought(g_.operand(id, 0), plan.left());
    l_.change.operand = 1;
    int const y = brought(g_.operand(id, 1), plan.right());
    l_.change.operand = layout_change::result;
    return sum(id, {plan.run(x, y, dtype_of_part(id, plan.pending()))});
  }

  // Lowers a change of layout.
  constexpr int same_value(int id) {
    int const x = g_.operand(id, 0);
    if (!is_unfinished(x) || !g_.nodes[id].facts.unreduced.empty() || !parts_stay(id, 0))
      return finish(id, local(x), layout(facts(id, 0)));
    return sum(id, unfinished(x), x);
  }

  // Whether elementwise node id is computed on partial sums; `made` is then the result.
  constexpr bool keeps_sum(int id, int& made) {
    node const& n = g_.nodes[id];
    bool const pair = n.operand_count == 2;
    bool const left = n.operand_count > 0 && waits(id, 0), right = pair && waits(id, 1);
    if (!left && !right) return false;
    if (detail::is_op<ops::add>(n.op) && left != right) note_accumulator(id, left ? 0 : 1);
    if (detail::is_op<ops::add>(n.op) || detail::is_op<ops::subtract>(n.op)) {
      if (!(left && right ? alike(id) : detail::is_op<ops::add>(n.op) && joins_later(id))) return false;
      made = added(id, left, right);
      return true;
    }
    int const k = left ? 0 : 1;
    if (!scales(n.op) || (left && right) || (detail::is_op<ops::divide>(n.op) && !left)) return false;
    unfinished_sum const x = unfinished(g_.operand(id, k));
    if (!joins_later(id) || (pair && !is_number(id, 1 - k, detail::is_op<ops::divide>(n.op)))) return false;
    unfinished_sum all = x;
    all.partial.id = on_part(id, k, part_of(g_.operand(id, k)), x.partial.layout);
    if (x.whole >= 0) all.whole = on_part(id, k, x.whole, layout(n.facts));
    made = sum(id, all);
    return true;
  }

private:
  // Operand k is an unfinished sum with the result's shape, and its whole part has the result's layout already.
  constexpr bool waits(int id, int k) const {
    node const& n = g_.nodes[id];
    return is_unfinished(g_.operand(id, k)) && facts(id, k).rank == n.facts.rank &&
           facts(id, k).element == n.facts.element && n.facts.element != dtype::boolean && n.facts.unreduced.empty() &&
           parts_stay(id, k);
  }
  // Operand k has the layout of the result, or bringing its partial sums there costs no more.
  constexpr bool parts_stay(int id, int k) const {
    unfinished_sum const& x = unfinished(g_.operand(id, k));
    block_layout const own = layout(facts(id, k)), to = layout(g_.nodes[id].facts);
    return own == to || (x.whole < 0 && is_no_detour(l_.mesh(), facts(id, k), x.partial.layout, own, to));
  }
  constexpr bool alike(int id) const {
    return unfinished(g_.operand(id, 0)).partial.layout == unfinished(g_.operand(id, 1)).partial.layout;
  }
  // Operand k is a finite literal: partial sums times infinity need not add up to infinity times the sum.
  constexpr bool is_number(int id, int k, bool divisor) {
    int const x = g_.operand(id, k);
    int const scalar = is_unfinished(x) ? -1 : l_.scalar_of(local(x));
    if (scalar < 0 || l_.at(scalar).op->kind != op_class::literal) return false;
    literal_params const& c = l_.at(scalar).attrs.as<literal_params>();
    return c.number - c.number == 0 && !(divisor && c.number == 0 && c.integer == 0);
  }

  static constexpr bool scales(op_info const* op) {
    return detail::is_op<ops::negative>(op) || detail::is_op<ops::multiply>(op) || detail::is_op<ops::divide>(op);
  }
  // Whether the only reader, directly or through linear operations, adds it to a value that may be partial sums, too,
  // or changes its layout.
  constexpr bool joins_later(int id) const {
    for (int by = reader_of(id); by >= 0 && by < last_; id = by, by = reader_of(by)) {
      op_info const* const op = g_.nodes[by].op;
      bool const adds = detail::is_op<ops::add>(op) || detail::is_op<ops::subtract>(op),
                 goes = op->kind == op_class::reshard;
      if (!goes && op->kind != op_class::elementwise) return false;
      if (!g_.nodes[by].facts.same_spec(g_.nodes[id].facts)) return true;
      if (adds && may_be_partial(g_.operand(by, g_.operand(by, 0) == id ? 1 : 0))) return true;
      if (!goes && !scales(op) && !detail::is_op<ops::add>(op)) return false;
    }
    return false;
  }
  constexpr bool may_be_partial(int id) const {
    while (id >= first_ && !is_lowered(id)) {
      op_info const* const op = g_.nodes[id].op;
      if (op->kind == op_class::dot || op->reduction == monoid::sum) return true;
      if (!scales(op) && op->kind != op_class::reshard) return false;
      id = g_.operand(id, 0);
    }
    return id >= first_ && is_unfinished(id);
  }

  // Notes an accumulator of a loop: a region's input that is read only here, where partial sums (operand k) are added
  // to it, and whose sum is the region's output.
  constexpr void note_accumulator(int id, int k) {
    int const carried = g_.operand(id, 1 - k);
    unfinished_sum const& x = unfinished(g_.operand(id, k));
    accumulator const found{carried, id, x.partial.layout};
    if (carried >= first_ && reader_of(carried) == id && reader_of(id) == last_ && x.whole < 0 &&
        g_.nodes[carried].op->kind == op_class::argument)
      accumulators_.push_back(found);
  }

  constexpr int added(int id, bool left, bool right) {
    block_layout const to = layout(g_.nodes[id].facts);
    unfinished_sum all = unfinished(g_.operand(id, left ? 0 : 1));
    if (left && right) {
      all.partial.id = emit(id, part_of(g_.operand(id, 0)), part_of(g_.operand(id, 1)), all.partial.layout);
      all.source = -1;
      if (all.as == dtype::boolean) all.as = unfinished(g_.operand(id, 1)).as;
    }
    int const x = left ? unfinished(g_.operand(id, 0)).whole : bring(id, 0, to);
    int const y = right ? unfinished(g_.operand(id, 1)).whole : bring(id, 1, to);
    all.whole = x < 0 || y < 0 ? (x < 0 ? negated(id, y) : x) : emit(id, x, y, to);
    return sum(id, all, left && right ? -1 : g_.operand(id, left ? 0 : 1));
  }
  // 0 + y or 0 - y: the whole part of a sum or difference whose left operand has none.
  constexpr int negated(int id, int y) {
    node const& n = g_.nodes[id];
    if (y < 0 || detail::is_op<ops::add>(n.op)) return y;
    return l_.emit(planning_info<ops::negative>, &y, 1, {}, l_.facts(y));
  }
  constexpr int emit(int id, int x, int y, block_layout const& layout) {
    int const both[]{x, y};
    node const& n = g_.nodes[id];
    return l_.emit(*n.op, both, n.operand_count, n.attrs, block(n.facts, layout));
  }
  // Applies the node's operation to a part of operand k.
  constexpr int on_part(int id, int k, int part, block_layout const& there) {
    int const factor = g_.nodes[id].operand_count == 2 ? bring(id, 1 - k, there) : -1;
    return k == 0 ? emit(id, part, factor, there) : emit(id, factor, part, there);
  }
};

}  // namespace tessera::detail
