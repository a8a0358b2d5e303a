// SPDX-License-Identifier: Apache-2.0
#pragma once
// The local values of a program or region while it is lowered: which global values are needed, where each one is, which
// are partial sums that are added up later, what a region reads from outside, and how results are returned.

#include <tessera/graph/loop.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/plan/lower/loop_invariants.hpp>
#include <tessera/plan/lower/picked_values.hpp>
#include <tessera/plan/lower/reshard.hpp>

namespace tessera::detail {

// A value as the sum of two parts: partial sums over some axes, and a part in the layout of the value (whole -1: none).
// The partial sums may have a wider dtype than the value: part_of.
struct unfinished_sum {
  placed partial{};
  int whole = -1;
  int source = -1;            // the node that made the partial sums; -1: the node whose value it is
  dtype as = dtype::boolean;  // the dtype in which they are added up; boolean: as `source` says
};

// A value from outside of a region, in the layout in which the region reads it, with the first line that does so.
struct captured_value {
  int id = -1, made = -1;  // the global value, the region's input
  block_layout layout{};
  site at{};
  op_info const* cause = nullptr;
};

// An output of a region that is partial sums of this layout, and is added up after it: of a checkpoint, or a carried
// value of a loop that only linear operations read. That is partial sums in all iterations.
struct accumulator {
  int input = -1, output = -1;  // the global values at the start (-1: none) and end of an iteration
  block_layout layout{};
  int source = -1;  // of a checkpoint: as in unfinished_sum
  dtype as = dtype::boolean;
};

// Values that are the same partial sums as others. These are added up at once, so that they are sent once for all of
// the values.
struct repeated_sums {
  growable<bool> known;  // by node
  bool found = false;    // more were found; lower again

  constexpr explicit repeated_sums(int nodes) { known.resize(nodes, false); }
};

class lowered_values {
public:
  // For the whole program.
  constexpr lowered_values(graph_view global, lowering& l, repeated_sums& repeated, loop_invariants const& invariants)
      : g_(global), l_(l), repeated_(repeated), invariants_(invariants), last_(global.node_count) {
    for (int i = 0; i < g_.input_count; ++i) inputs_.push_back(g_.inputs[i]);
    for (int i = 0; i < g_.output_count; ++i) {
      outputs_.push_back(g_.outputs[i]);
      as_.push_back(g_[g_.outputs[i]].facts);
    }
    at_.resize(last_, absent);
  }
  // For a region that computes `outputs` in the layouts `as`, is or is part of a turn if `turns`, and reads values of
  // `around`.
  constexpr lowered_values(lowered_values& around, graph_region const& r, growable<int> const& outputs,
                           growable<array_value> const& as, lowering& l, bool turns)
      : g_(around.g_),
        l_(l),
        repeated_(around.repeated_),
        invariants_(around.invariants_),
        around_(&around),
        turns_(turns),
        region_(static_cast<int>(&r - g_.regions)),
        first_(r.first_node),
        last_(r.first_node + r.node_count),
        outputs_(outputs),
        as_(as) {
    for (int i = 0; i < r.input_count; ++i) inputs_.push_back(g_.input(r, i));
    at_.resize(last_, absent);
  }

  // The values that the region reads from outside, in the order of its inputs.
  constexpr growable<captured_value> const& captured() const { return captured_; }
  // Of a region that has run: the outputs that can be or are partial sums.
  constexpr growable<accumulator> const& accumulators() const { return accumulators_; }
  // The value `input` of a turn is `output` in the next one, and may be partial sums.
  constexpr void carry(int input, int output) { carried_.push_back({input, output}); }
  // Outputs that are partial sums at the end of the region leave it as such.
  constexpr void leave_sums() { leaves_sums_ = true; }
  // Makes input `id` of a region partial sums of this layout.
  constexpr void begin_as_sum(int id, block_layout const& layout) {
    begun_ = true;
    array_value facts = g_.nodes[id].facts;
    facts.spec = layout.spec;
    facts.unreduced = layout.pending;
    unfinished_sum const all{{l_.emit(*g_.nodes[id].op, nullptr, 0, {}, block(facts), differs_over(facts)), layout}};
    unfinished_.push_back(all);
    set(id, absent - static_cast<int>(unfinished_.size()));
  }

protected:
  constexpr virtual void lower_node(int id) = 0;

  // Whether node id is computed here, and not outside of the region or in a region inside.
  constexpr bool owns(int id) const { return id >= first_ && invariants_.home(id) == region_; }
  // Whether node id is read by a loop only, and does not change in it.
  constexpr bool is_invariant(int id) const { return owns(id) && invariants_.moves(id); }

  constexpr void find_needed() {
    readers_.resize(last_ - first_, 0);
    last_reader_.resize(last_ - first_, -1);
    auto const need = [&](int id, int by) {
      if (!owns(id)) return;
      ++readers_[id - first_];
      last_reader_[id - first_] = by;
    };
    for (int id : outputs_) need(id, last_);
    int inside = last_;  // from here on, nodes belong to regions of a loop that follows them
    for (int id = last_ - 1; id >= first_; --id) {
      if (id < inside && acts(g_, id)) need(id, last_);
      if (id < inside && g_.nodes[id].region_count > 0) inside = g_.part(id, 0).first_node;
      if (is_needed(id))
        for (int k = 0; k < g_.nodes[id].operand_count; ++k) need(g_.operand(id, k), id);
    }
    if (!invariants_.empty()) find_readers_of_invariants();
    for (int id = first_; id < last_; ++id)
      if (owns(id) && is_needed(id)) picked_.note(g_, id);
  }
  // What is read in a loop counts as read twice.
  constexpr void find_readers_of_invariants() {
    auto const read = [&](int x, int by, int times) {
      if (!is_invariant(x)) return;
      readers_[x - first_] += times;
      last_reader_[x - first_] = by;
    };
    for (int id = first_; id < last_; ++id) {
      for (int k = 0; k < g_.nodes[id].operand_count; ++k) read(g_.operand(id, k), id, owns(id) ? 1 : 2);
      for (int r = 0; r < g_.nodes[id].region_count; ++r)
        for (int k = 0; k < g_.part(id, r).output_count; ++k) read(g_.output(g_.part(id, r), k), id, 2);
    }
  }
  constexpr bool is_needed(int id) const { return readers_[id - first_] > 0; }
  // The only reader of id, last_ if that is an output; -1: there are several readers.
  constexpr int reader_of(int id) const { return readers_[id - first_] == 1 ? last_reader_[id - first_] : -1; }

  constexpr void set(int id, int made) { at_[id] = made; }
  constexpr bool is_lowered(int id) const { return at_[id] != absent; }
  constexpr int local(int id) {
    begin(id);
    if (is_unfinished(id)) set(id, finished(id, layout(g_.nodes[id].facts)));
    return at_[id];
  }
  // Captures a value from outside, and lowers an invariant of a loop when it is first read.
  constexpr void begin(int id) {
    if (is_lowered(id)) return;
    if (!owns(id)) return set(id, capture(id));
    site const here = l_.here;
    auto const* const cause = l_.cause;
    layout_change const change = l_.change;
    for (int k = 0; k < g_.nodes[id].operand_count; ++k)
      if (is_invariant(g_.operand(id, k))) begin(g_.operand(id, k));
    lower_node(id);
    l_.here = here;
    l_.cause = cause;
    l_.change = change;
  }

  // Node id's value as an unfinished sum, which is added up and sent where it is read; at once if several nodes read
  // it. from: the operand whose partial sums these are, unchanged.
  constexpr int sum(int id, unfinished_sum const& x, int from = -1) {
    array_value const& facts = g_.nodes[id].facts;
    block_layout const to = layout(facts);
    l_.change.operand = layout_change::result;
    if (x.partial.layout.pending.empty() || !facts.unreduced.empty()) return finished(id, x, to);
    int const reader = reader_of(id);
    bool const only_result = reader == last_ && !around_;  // nothing can join it, so its parts need not be kept
    if (is_repeated(id, x.partial.id, from) || reader < 0 || only_result) return finished(id, x, to);
    unfinished_.push_back(x);  // which may be one of them: from here on read its copy
    unfinished_sum& kept = unfinished_.back();
    if (kept.source < 0) kept.source = id;
    if (kept.as == dtype::boolean) kept.as = g_.nodes[id].at.sums;
    return absent - static_cast<int>(unfinished_.size());
  }
  // Keeps node id's value in this place and layout until it is read: no partial sums.
  constexpr int elsewhere(int id, placed const& there) {
    unfinished_.push_back({there, -1, id});
    return absent - static_cast<int>(unfinished_.size());
  }
  constexpr bool is_unfinished(int id) const { return at_[id] < absent; }
  constexpr unfinished_sum const& unfinished(int id) const { return unfinished_[absent - 1 - at_[id]]; }
  // The dtype in which node id adds up its partial sums on each device, if they are then added up over several devices:
  // at least as wide as its own.
  constexpr dtype dtype_of_part(int id, axis_set pending) const {
    dtype const own = g_.nodes[id].facts.element, sum = l_.dtype_of_sum(own);
    if (bytes_of(sum) <= bytes_of(own)) return own;
    int const by = reader_of(id);
    bool const sent = by >= 0 && by < last_ && g_.nodes[by].op->kind == op_class::collective &&
                      g_.nodes[by].op->reduction == monoid::sum && g_.nodes[by].at.sums == sum;
    return sent || !(pending & l_.several()).empty() ? sum : own;
  }
  // The partial sums of node id in its own dtype.
  constexpr int part_of(int id) { return l_.in_dtype(unfinished(id).partial.id, g_.nodes[id].facts.element); }
  // Adds up the sum, in a layout without partial sums.
  constexpr int finished(int id, block_layout const& to) {
    site const here = l_.here;
    auto const* const cause = l_.cause;
    int const node = l_.change.node, operand = l_.change.operand;
    l_.here = g_.nodes[id].at;
    l_.cause = g_.nodes[id].op;
    l_.change.node = id;
    l_.change.operand = layout_change::result;
    int const made = finished(id, unfinished(id), to);
    l_.here = here;
    l_.cause = cause;
    l_.change.node = node;
    l_.change.operand = operand;
    return made;
  }
  constexpr array_value const& facts(int id, int k) const { return g_.nodes[g_.operand(id, k)].facts; }
  constexpr array_value block(array_value const& global) const { return local_block(global, l_.mesh()); }
  // The block of a global value in another layout.
  constexpr array_value block(array_value global, block_layout const& layout) const {
    global.spec = layout.spec;
    return local_block(global, l_.mesh());
  }
  constexpr block_layout layout(array_value const& global) const { return blocks_of(global, l_.single()); }
  constexpr placed operand(int id, int k) { return {local(g_.operand(id, k)), layout(facts(id, k))}; }
  // Operand k, which may be partial sums over more axes than its type has.
  constexpr placed terms(int id, int k) {
    int const x = g_.operand(id, k);
    return is_unfinished(x) && unfinished(x).whole < 0 ? placed{part_of(x), unfinished(x).partial.layout}
                                                       : operand(id, k);
  }
  constexpr axis_set differs_over(array_value const& global) const {
    return (global.sharded_axes() | global.unreduced | global.varying) & l_.several();
  }
  // Operand k in layout `to`; its pending sums stay pending.
  constexpr int bring(int id, int k, block_layout const& to) {
    l_.change.operand = k;
    return brought(g_.operand(id, k), to);
  }
  constexpr int brought(int x, block_layout to) {
    array_value const& facts = g_.nodes[x].facts;
    block_layout const own = layout(facts);
    to.pending = own.pending;
    if (is_invariant(x)) begin(x);
    if (is_unfinished(x)) return to == own ? local(x) : finished(x, to);
    if (!owns(x) && turns_ && layout_search(l_.mesh(), facts, own, to).bytes() > 0) return captured_as(x, to);
    return reshard(l_, {local(x), own}, facts, to).id;
  }
  // Like bring; padding in blocks is replaced by the identity of `how`.
  constexpr int bring_full(int id, int k, block_layout const& to, monoid how) {
    int x = bring(id, k, to);
    for (int d = 0; d < to.rank; ++d) x = without_padding(l_, x, d, facts(id, k), to.entry(d), how);
    return x;
  }
  // The node's value, of which `result` is the block in another layout. Pending values are combined by `how`.
  constexpr int finish(int id, int result, block_layout const& made, monoid how = monoid::sum) {
    l_.change.operand = layout_change::result;
    return reshard(l_, {result, made}, g_.nodes[id].facts, layout(g_.nodes[id].facts), how).id;
  }
  // x in memory, with the distinct blocks that its type has.
  constexpr int declared(int x, array_value const& global) {
    axis_set const over = differs_over(global);
    x = l_.in_memory(x);
    return l_.shares() && !(l_.facts(x).varying == over) ? l_.copied(x, over) : x;
  }

  constexpr void finish_outputs() {
    growable<int> results;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      int const id = outputs_[i];
      array_value const& facts = g_.nodes[id].facts;
      l_.change.node = id;
      l_.change.operand = layout_change::output;
      block_layout const to = layout(as_[i]);
      if (is_unfinished(id) && unfinished(id).partial.layout == to)
        results.push_back(part_with_whole(id));
      else if (is_unfinished(id) && to.pending.empty())
        results.push_back(finished(id, to));
      else
        results.push_back(reshard(l_, {local(id), layout(facts)}, facts, to).id);
    }
    for (captured_value const& x : captured_) l_.local.inputs.push_back(x.made);
    for (int id : inputs_) l_.local.inputs.push_back(input(id));
    is_output_.resize(l_.local.nodes.size(), false);
    for (std::size_t i = 0; i < outputs_.size(); ++i) output(results[i], as_[i]);
  }
  constexpr int input(int id) { return is_unfinished(id) ? unfinished(id).partial.id : local(id); }

  graph_view g_;
  lowering& l_;
  repeated_sums& repeated_;
  loop_invariants const& invariants_;
  lowered_values* around_ = nullptr;
  bool turns_ = false;
  int region_ = -1;
  int first_ = 0, last_ = 0;
  growable<int> inputs_, outputs_;
  growable<accumulator> accumulators_, carried_;  // carried_: what may become one, without layout
  bool begun_ = false, leaves_sums_ = false;      // begun_: some inputs are partial sums
  growable<array_value> as_;                      // facts that the outputs must have
  picked_values picked_;

private:
  constexpr bool is_repeated(int id, int partial, int from) {
    std::size_t const at = partial;
    if (sum_of_.size() <= at) sum_of_.resize(l_.local.nodes.size(), -1);
    int const other = sum_of_[at];
    sum_of_[at] = id;
    if (other >= 0 && other != from && !(repeated_.known[id] && repeated_.known[other]))
      repeated_.found = repeated_.known[id] = repeated_.known[other] = true;
    return repeated_.known[id];
  }

  // Unfinished value id as partial sums only: the first device along their axes adds the whole part.
  constexpr int part_with_whole(int id) {
    unfinished_sum const& x = unfinished(id);
    array_value const& facts = g_.nodes[id].facts;
    int const part = part_of(id);
    if (x.whole < 0) return part;
    int const both[]{part, reshard(l_, {x.whole, layout(facts)}, facts, x.partial.layout).id};
    return l_.emit(planning_info<ops::add>, both, 2, {}, block(facts, x.partial.layout));
  }

  static constexpr int absent = -1;  // in at_; lower numbers are unfinished sums

  // x, node id's value, in layout `to`. If it has two parts, they are added before it changes its layout.
  constexpr int finished(int id, unfinished_sum const& x, block_layout const& to) {
    auto const before = l_.summed;
    dtype const as = l_.sums;
    l_.sums = x.as;
    if (x.source >= 0) l_.summed = {x.source, g_.nodes[x.source].at, g_.nodes[x.source].op};
    int const made = added_up(id, x, to);
    l_.summed = before;
    l_.sums = as;
    return made;
  }
  constexpr int added_up(int id, unfinished_sum const& x, block_layout const& to) {
    array_value const& facts = g_.nodes[id].facts;
    block_layout const own = layout(facts);
    if (x.whole < 0) {
      bool const straight = is_no_detour(l_.mesh(), facts, x.partial.layout, own, to);
      return reshard(l_, straight ? x.partial : reshard(l_, x.partial, facts, own), facts, to).id;
    }
    int const both[]{x.whole, reshard(l_, x.partial, facts, own).id};
    return reshard(l_, {l_.emit(planning_info<ops::add>, both, 2, {}, block(facts, own)), own}, facts, to).id;
  }
  // A value from outside: a constant is computed again, other values are inputs.
  constexpr int capture(int id) {
    int const outside = around_->local(id);
    lowering const& there = around_->l_;
    array_value const& facts = g_.nodes[id].facts;
    if (int const scalar = there.scalar_of(outside); scalar >= 0)
      if (node const& n = there.at(scalar); n.op->kind == op_class::literal)
        return l_.filled(l_.emit(*n.op, nullptr, 0, n.attrs, n.facts), block(facts));
    if (node const& n = there.at(outside); n.op->kind == op_class::iota)
      return l_.emit(*n.op, nullptr, 0, n.attrs, n.facts, n.attrs.as<iota_params>().split.axes());
    return input_as(id, layout(facts));
  }
  // A value from outside, brought to layout `to` there, once for all iterations.
  constexpr int captured_as(int id, block_layout const& to) {
    for (captured_value const& known : captured_)
      if (known.id == id && known.layout == to) return known.made;
    return input_as(id, to);
  }
  constexpr int input_as(int id, block_layout const& to) {
    array_value facts = g_.nodes[id].facts;
    facts.spec = to.spec;
    int const made = l_.emit(planning_info<ops::argument>, nullptr, 0, {}, block(facts), differs_over(facts));
    captured_.push_back({id, made, to, l_.here, l_.cause});
    return made;
  }
  // Every output has memory of its own, with the distinct blocks that its type has.
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

  growable<int> readers_, last_reader_;  // by value, as far as needed
  growable<bool> is_output_;
  growable<int> at_;
  growable<captured_value> captured_;
  growable<unfinished_sum> unfinished_;
  growable<int> sum_of_;  // by local node: the last value whose partial sums it is
};

}  // namespace tessera::detail
