// SPDX-License-Identifier: Apache-2.0
#pragma once
// The local values of a program, or of a region of one, while it is lowered: which global values are needed, where each
// is, what a region reads from outside, and how results leave.

#include <tessera/graph/loop.hpp>
#include <tessera/plan/reshard.hpp>

namespace tessera::detail {

class lowered_values {
public:
  // Of the whole program.
  constexpr lowered_values(graph_view global, lowering& l) : g_(global), l_(l), last_(global.node_count) {
    for (int i = 0; i < g_.input_count; ++i) inputs_.push_back(g_.inputs[i]);
    for (int i = 0; i < g_.output_count; ++i) {
      outputs_.push_back(g_.outputs[i]);
      as_.push_back(g_[g_.outputs[i]].facts);
    }
    at_.resize(static_cast<std::size_t>(last_), -1);
  }
  // Of a region, which computes `outputs`, laid out as `as`, and reads from outside what `around` has.
  constexpr lowered_values(lowered_values& around, graph_region const& r, growable<int> const& outputs,
                           growable<array_value> const& as, lowering& l)
      : g_(around.g_),
        l_(l),
        around_(&around),
        first_(r.first_node),
        last_(r.first_node + r.node_count),
        outputs_(outputs),
        as_(as) {
    for (int i = 0; i < r.input_count; ++i) inputs_.push_back(g_.input(r, i));
    at_.resize(static_cast<std::size_t>(last_), -1);
  }

  // What it reads from outside, in the order of its inputs.
  constexpr growable<int> const& captured() const { return captured_; }

protected:
  constexpr void find_needed() {
    needed_.resize(static_cast<std::size_t>(last_ - first_), false);
    auto const need = [&](int id) {
      if (id >= first_) needed_[id - first_] = true;
    };
    for (int id : outputs_) need(id);
    int inside = last_;  // from here on nodes belong to regions of a loop that stands behind them
    for (int id = last_ - 1; id >= first_; --id) {
      if (id < inside && acts(g_, id)) need(id);
      if (id < inside && g_.nodes[id].region_count > 0) inside = g_.part(id, 0).first_node;
      if (is_needed(id))
        for (int k = 0; k < g_.nodes[id].operand_count; ++k) need(g_.operand(id, k));
    }
  }
  constexpr bool is_needed(int id) const { return needed_[id - first_]; }

  constexpr void set(int id, int made) { at_[id] = made; }
  constexpr int local(int id) {
    if (id < first_ && at_[id] < 0) set(id, capture(id));
    return at_[id];
  }
  constexpr array_value const& facts(int id, int k) const { return g_.nodes[g_.operand(id, k)].facts; }
  constexpr array_value block(array_value const& global) const { return local_block(global, l_.mesh()); }
  // The block of a value of these extents in another layout.
  constexpr array_value block(array_value global, block_layout const& layout) const {
    global.spec = layout.spec;
    return local_block(global, l_.mesh());
  }
  constexpr block_layout layout(array_value const& global) const { return blocks_of(global, l_.single()); }
  constexpr placed operand(int id, int k) { return {local(g_.operand(id, k)), layout(facts(id, k))}; }
  constexpr axis_set differs_over(array_value const& global) const {
    return (global.sharded_axes() | global.unreduced | global.varying) & l_.several();
  }
  // Operand k with the entries of `to`, its partial sums as they are.
  constexpr int bring(int id, int k, block_layout to) {
    placed const x = operand(id, k);
    to.pending = x.layout.pending;
    l_.change.operand = k;
    return reshard(l_, x, facts(id, k), to).id;
  }
  // The same with nothing but identities of `how` in blocks that are not full.
  constexpr int bring_full(int id, int k, block_layout const& to, monoid how) {
    int x = bring(id, k, to);
    for (int d = 0; d < to.rank; ++d) x = without_padding(l_, x, d, facts(id, k), to.entry(d), how);
    return x;
  }
  constexpr int finish(int id, int result, block_layout const& made) {
    l_.change.operand = layout_change::result;
    return reshard(l_, {result, made}, g_.nodes[id].facts, layout(g_.nodes[id].facts)).id;
  }
  // x in memory, one block for each that its type has.
  constexpr int declared(int x, array_value const& global) {
    axis_set const over = differs_over(global);
    x = l_.in_memory(x);
    return l_.shares() && !(l_.facts(x).varying == over) ? l_.copied(x, over) : x;
  }

  constexpr void finish_outputs() {
    growable<int> results;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      array_value const& facts = g_.nodes[outputs_[i]].facts;
      l_.change.node = outputs_[i];
      l_.change.operand = layout_change::output;
      results.push_back(reshard(l_, {local(outputs_[i]), layout(facts)}, facts, layout(as_[i])).id);
    }
    for (int id : captured_) l_.local.inputs.push_back(local(id));
    for (int id : inputs_) l_.local.inputs.push_back(local(id));
    is_output_.resize(l_.local.nodes.size(), false);
    for (std::size_t i = 0; i < outputs_.size(); ++i) output(results[i], as_[i]);
  }

  graph_view g_;
  lowering& l_;
  lowered_values* around_ = nullptr;
  int first_ = 0, last_ = 0;
  growable<int> inputs_, outputs_;
  growable<array_value> as_;  // facts that outputs have when they leave

private:
  // A value from outside: computed again where it is a constant, else an input.
  constexpr int capture(int id) {
    int const outside = around_->local(id);
    lowering const& there = around_->l_;
    array_value const& facts = g_.nodes[id].facts;
    if (int const scalar = there.scalar_of(outside); scalar >= 0)
      if (node const& n = there.at(scalar); n.op->kind == op_class::literal)
        return l_.filled(l_.emit(*n.op, nullptr, 0, n.attrs, n.facts), block(facts));
    if (node const& n = there.at(outside); n.op->kind == op_class::iota)
      return l_.emit(*n.op, nullptr, 0, n.attrs, n.facts, n.attrs.as<iota_params>().split.axes());
    captured_.push_back(id);
    return l_.emit(info<ops::argument>, nullptr, 0, {}, block(facts), differs_over(facts));
  }
  // Every output has memory of its own, one block for each that its type has.
  constexpr void output(int id, array_value const& global) {
    auto const kind = l_.at(id).op->kind;
    axis_set const wanted = differs_over(global);
    bool const computed = kind == op_class::literal || kind == op_class::iota || kind == op_class::axis_index;
    if (kind == op_class::argument || computed || l_.is_view(id) || is_output_[id] ||
        (l_.shares() && !(l_.facts(id).varying == wanted)) ||
        (static_cast<int>(l_.local.outputs.size()) >= l_.first_strided && is_carried(l_.local.view(), id))) {
      id = l_.output_copy(id, wanted);
      is_output_.resize(l_.local.nodes.size(), false);
    }
    is_output_[id] = true;
    l_.local.outputs.push_back(id);
  }

  growable<bool> needed_, is_output_;
  growable<int> at_, captured_;
};

}  // namespace tessera::detail
