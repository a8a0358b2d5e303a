// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix products leave partial sums. Linear operations on partial sums that nothing else reads (x + y, x - y, -x, x *
// c, x / c for a scalar c, and changes of layout) are computed on the partial sums, which are added up once after all
// of them. This never sends more bytes than adding up each operand by itself: the sum goes from the layout of the
// partial sums to the layout in which it is read. A value that a loop carries through such operations only is partial
// sums in all turns, if something that is added to it is.

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
    if (widens(id)) return widened(id, made);
    bool const pair = n.operand_count == 2;
    bool const left = n.operand_count > 0 && waits(id, 0), right = pair && waits(id, 1);
    if (!left && !right) return false;
    if (adds(n.op)) {
      if (!(left && right ? alike(id) : joins_later(id))) return false;
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

  // Whether linear operations, which are its only readers, make a carried value of it.
  constexpr bool leads_out(int id) const {
    int by = reader_of(id);
    for (; by >= 0 && by < last_ && (is_linear(by) || widens(by)); by = reader_of(by)) id = by;
    return by == last_ && is_carried_sum(id);
  }
  // Finds the outputs of a region that can be partial sums after it.
  constexpr void find_accumulators() {
    for (accumulator x : carried_) {
      if (!is_unfinished(x.output) || unfinished(x.output).partial.layout.pending.empty()) continue;
      x.layout = unfinished(x.output).partial.layout;
      if (!passes(x.input, x.output)) continue;
      if (!begun_ || (becomes_part(x) && stays_partial(x.input, x.output))) accumulators_.push_back(x);
    }
    for (std::size_t i = 0; leaves_sums_ && i < outputs_.size(); ++i) leave_sum(outputs_[i], as_[i]);
  }

private:
  // The whole part of an unfinished output, if any, becomes partial sums without a message.
  constexpr bool becomes_part(accumulator const& x) const {
    block_layout own = layout(g_.nodes[x.output].facts);
    own.pending = x.layout.pending;
    return unfinished(x.output).whole < 0 || own == x.layout;
  }
  constexpr void leave_sum(int id, array_value& as) {
    if (!owns(id) || !is_unfinished(id) || unfinished(id).whole >= 0) return;
    unfinished_sum const& x = unfinished(id);
    bool const own = l_.facts(x.partial.id).element == as.element;
    if (!own || x.partial.layout.pending.empty() || !(layout(as) == layout(g_.nodes[id].facts))) return;
    as.spec = x.partial.layout.spec;
    as.unreduced = x.partial.layout.pending;
    accumulators_.push_back({-1, id, x.partial.layout, x.source, x.as});
  }
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
  // A cast is computed on partial sums where that spares the messages of a loop's turns.
  constexpr bool widened(int id, int& made) {
    int const x = g_.operand(id, 0);
    node const& n = g_.nodes[id];
    if (!is_unfinished(x) || unfinished(x).whole >= 0 || !n.facts.unreduced.empty() || !leads_out(id)) return false;
    unfinished_sum all = unfinished(x);
    all.partial.id = l_.in_dtype(all.partial.id, n.facts.element);
    made = sum(id, all);
    return true;
  }
  // Operand k is a finite literal: partial sums times infinity need not add up to infinity times the sum.
  constexpr bool is_number(int id, int k, bool divisor) {
    int const x = g_.operand(id, k);
    int const scalar = is_unfinished(x) ? -1 : l_.scalar_of(local(x));
    if (scalar < 0 || l_.at(scalar).op->kind != op_class::literal) return false;
    literal_params const& c = l_.at(scalar).attrs.as<literal_params>();
    return c.number - c.number == 0 && !(divisor && c.number == 0 && c.integer == 0);
  }

  constexpr bool is_linear(int id) const {
    op_info const* const op = g_.nodes[id].op;
    return adds(op) || scales(op) || op->kind == op_class::reshard;
  }
  // A cast of floats that changes no number.
  constexpr bool widens(int id) const {
    node const& n = g_.nodes[id];
    if (n.operand_count != 1) return false;
    dtype const from = facts(id, 0).element, to = n.facts.element;
    return detail::is_op<ops::cast>(n.op) && is_floating(from) && is_floating(to) && bytes_of(from) < bytes_of(to);
  }
  static constexpr bool adds(op_info const* op) {
    return detail::is_op<ops::add>(op) || detail::is_op<ops::subtract>(op);
  }
  static constexpr bool scales(op_info const* op) {
    return detail::is_op<ops::negative>(op) || detail::is_op<ops::multiply>(op) || detail::is_op<ops::divide>(op);
  }
  // Whether the only reader, directly or through linear operations, adds it to a value that may be partial sums, too,
  // changes its layout, or carries it to the next turn.
  constexpr bool joins_later(int id) const {
    if (leads_out(id)) return true;
    for (int by = reader_of(id); by >= 0 && by < last_; id = by, by = reader_of(by)) {
      op_info const* const op = g_.nodes[by].op;
      bool const goes = op->kind == op_class::reshard;
      if (!goes && op->kind != op_class::elementwise) return false;
      if (!g_.nodes[by].facts.same_spec(g_.nodes[id].facts)) return true;
      if (adds(op) && may_be_partial(g_.operand(by, g_.operand(by, 0) == id ? 1 : 0))) return true;
      if (!goes && !scales(op) && !adds(op)) return false;
    }
    return false;
  }
  constexpr bool may_be_partial(int id) const {
    while (owns(id) && !is_lowered(id)) {
      op_info const* const op = g_.nodes[id].op;
      if (op->kind == op_class::dot || op->reduction == monoid::sum) return true;
      if (!scales(op) && op->kind != op_class::reshard) return false;
      id = g_.operand(id, 0);
    }
    return owns(id) && is_unfinished(id);
  }

  constexpr bool is_carried_sum(int output) const {
    for (accumulator const& x : carried_)
      if (x.output == output) return passes(x.input, output);
    return false;
  }
  // Whether linear operations, and loops that carry it, make `to`, an output of the region, of `from`, which nothing
  // else reads.
  constexpr bool passes(int from, int to) const {
    int id = from;
    while (id != to && id >= 0 && id < last_) id = onward(id);
    return id == to && from != to && reader_of(to) == last_;
  }
  // Whether that was computed on partial sums.
  constexpr bool stays_partial(int from, int to) const {
    for (int id = from; id != to; id = onward(id))
      if (!is_unfinished(id)) return false;
    return true;
  }
  constexpr int onward(int id) const {
    int const by = reader_of(id);
    return by < 0 || by == last_ || is_linear(by) ? by : carried_on(id, by);
  }
  // The result of a scan that begins with value id; -1: it does not carry it.
  constexpr int carried_on(int id, int loop) const {
    if (g_.nodes[loop].op->kind != op_class::loop) return -1;
    loop_shape const& shape = loop_of(g_, loop);
    if (shape.kind != loop_kind::scan) return -1;
    for (int r = loop + 1; r < last_; ++r) {
      if (g_.nodes[r].op->kind != op_class::loop_result || !is_needed(r) || g_.operand(r, 0) != loop) continue;
      auto const k = static_cast<int>(g_.nodes[r].attrs.as<result_params>().which);
      if (k < shape.carried && g_.operand(loop, k) == id) return r;
    }
    return -1;
  }

  constexpr int added(int id, bool left, bool right) {
    block_layout const to = layout(g_.nodes[id].facts);
    unfinished_sum all = unfinished(g_.operand(id, left ? 0 : 1));
    if (left && right) {
      all.partial.id = emit(id, part_of(g_.operand(id, 0)), part_of(g_.operand(id, 1)), all.partial.layout);
      all.source = -1;
      if (all.as == dtype::boolean) all.as = unfinished(g_.operand(id, 1)).as;
    }
    if (!left && detail::is_op<ops::subtract>(g_.nodes[id].op)) all.partial.id = minus(all.partial.id);
    int const x = left ? unfinished(g_.operand(id, 0)).whole : bring(id, 0, to);
    int const y = right ? unfinished(g_.operand(id, 1)).whole : bring(id, 1, to);
    all.whole = x < 0 || y < 0 ? (x < 0 ? negated(id, y) : x) : emit(id, x, y, to);
    return sum(id, all, left && right ? -1 : g_.operand(id, left ? 0 : 1));
  }
  // 0 + y or 0 - y: the whole part of a sum or difference whose left operand has none.
  constexpr int negated(int id, int y) {
    node const& n = g_.nodes[id];
    return y < 0 || detail::is_op<ops::add>(n.op) ? y : minus(y);
  }
  constexpr int minus(int x) { return l_.emit(planning_info<ops::negative>, &x, 1, {}, l_.facts(x)); }
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
