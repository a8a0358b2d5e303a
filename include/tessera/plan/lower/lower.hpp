// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a traced global program to one device's local program: every value becomes its block, every change of layout a
// reshard, every reduction over a split dimension an all_reduce. One case per class of op; dead nodes are dropped.

#include <tessera/graph/node_factors.hpp>
#include <tessera/op/base/opaque.hpp>
#include <tessera/op/shape/roll.hpp>
#include <tessera/plan/lower/lower_loop.hpp>
#include <tessera/plan/lower/lower_windows.hpp>
#include <tessera/rule/manual.hpp>

namespace tessera {
namespace detail {

class lowerer final : public window_lowerer {
public:
  using window_lowerer::window_lowerer;

  constexpr void run() {
    find_needed();
    l_.reserve(last_ - first_ + 32);
    for (int id : inputs_)
      if (!is_lowered(id)) lower_node(id);
    for (int id = first_; id < last_; ++id)
      if (is_needed(id) && !is_lowered(id) && !is_invariant(id)) lower_node(id);
    find_accumulators();
    finish_outputs();
  }

private:
  template <class>
  friend class loop_lowerer;

  constexpr void lower_node(int id) override {
    l_.here = g_.nodes[id].at;
    l_.cause = g_.nodes[id].op;
    l_.change.node = id;
    l_.change.operand = layout_change::result;
    set(id, lowered(id));
  }

  constexpr int lowered(int id) {
    node const& n = g_.nodes[id];
    switch (n.op->kind) {
      case op_class::argument: return l_.emit(*n.op, nullptr, 0, n.attrs, block(n.facts), differs_over(n.facts));
      case op_class::literal: return literal(n);
      case op_class::iota: return iota(n);
      case op_class::elementwise: return elementwise(id);
      case op_class::reduce: return reduce(id);
      case op_class::dot: return product(id);
      case op_class::broadcast: return broadcast(id);
      case op_class::permute: return permute(id);
      case op_class::reshape: return reshape(id);
      case op_class::mesh_cast:
      case op_class::reshard: return waits_for_cast(id) || waits_for_index(id) ? moved_later(id) : same_value(id);
      case op_class::identity: return changes_memory(g_, id) ? in_other_memory(id) : bring(id, 0, layout(n.facts));
      case op_class::enter: return bring(id, 0, at_border(id, n.facts));
      case op_class::leave: return left(id);
      case op_class::collective: return collective_of(id);
      case op_class::axis_index: return l_.position(n.attrs.as<collective_params>().order);
      case op_class::shard_slice: {
        auto const& along = n.attrs.as<collective_params>();
        parts_of_node const split = parts(id);
        int const x = bring(id, 0, split.of(0));
        return finish(id, l_.sliced(x, static_cast<int>(along.dim), several_of(along.order)), split.made);
      }
      case op_class::slice:
      case op_class::concatenate:
      case op_class::pad:
      case op_class::update_slice: return assembled(id);
      case op_class::roll: return rolled(id);
      case op_class::gather:
      case op_class::scatter: return indexed(id);
      case op_class::loop: return loop_lowerer(*this, id).run();
      case op_class::loop_result: return result_of(id);
      case op_class::effect: return effect(id);
      default: return opaque(id);
    }
  }

  // A value is sent between devices in their own memory only.
  constexpr int in_other_memory(int id) {
    node const& n = g_.nodes[id];
    bool const to_host = n.facts.memory == memory_kind::host;
    int x = l_.in_memory(to_host ? bring(id, 0, layout(n.facts)) : local(g_.operand(id, 0)));
    array_value moved = l_.facts(x);
    moved.memory = n.facts.memory;
    x = l_.emit(*n.op, &x, 1, n.attrs, moved);
    return to_host ? x : finish(id, x, layout(facts(id, 0)));
  }

  constexpr entry_value several_of(entry_value entry) const { return without(entry, l_.single()); }

  // The layout of a value at a border of shard_map: split as its spec says and, like the block inside, by the axes that
  // are not mapped over.
  constexpr block_layout at_border(int id, array_value const& inside) const {
    node const& n = g_.nodes[id];
    block_layout to = layout(inside);
    for (int d = 0; d < to.rank; ++d) {
      entry_value entry = several_of(n.attrs.out[d]);
      entry_value const kept = without(to.entry(d), n.attrs.as<shard_map_params>().axes);
      for (int k = 0; k < kept.count(); ++k) entry.append(kept.axis(k));
      to.entry(d) = entry;
    }
    return to;
  }

  // The result of shard_map. Unchecked blocks may differ over an axis that the spec leaves out; the first device's is
  // used, except of terms.
  constexpr int left(int id) {
    node const& n = g_.nodes[id];
    int const x = local(g_.operand(id, 0));
    auto const& border = n.attrs.as<shard_map_params>();
    axis_set const left_out = border.axes - rule::detail::named(n.attrs.out) - n.attrs.out.unreduced;
    return finish(id, border.unchecked ? l_.first_along(x, left_out) : x, at_border(id, facts(id, 0)));
  }

  // A collective of the user's program, on blocks. Axes of one device are left out.
  constexpr int collective_of(int id) {
    node const& n = g_.nodes[id];
    entry_value const by = several_of(n.attrs.as<collective_params>().order);
    parts_of_node split = parts(id);
    if (n.op->message == collective::ragged_all_to_all) return finish(id, ragged(id, split, by), split.made);
    split.made.pending = layout(n.facts).pending;  // what the collective leaves pending
    if (is_summed_later(id)) {
      split.made.pending |= n.attrs.as<collective_params>().axes & l_.several();
      return sum(id, {{l_.in_dtype(bring(id, 0, split.of(0)), n.facts.element), split.made}});
    }
    int const made = sent(n, bring(id, 0, split.of(0)), by);
    return finish(id, n.op->reduction == monoid::sum ? l_.in_dtype(made, n.facts.element) : made, split.made);
  }
  // Whether a psum is added to a carried value, which is then summed after the loop.
  constexpr bool is_summed_later(int id) const {
    node const& n = g_.nodes[id];
    collective_params const& over = n.attrs.as<collective_params>();
    return n.op->message == collective::all_reduce && n.op->reduction == monoid::sum && !over.table &&
           over.unchecked.empty() && n.facts.unreduced.empty() && leads_out(id);
  }
  constexpr int sent(node const& n, int x, entry_value by) {
    collective_params const& over = n.attrs.as<collective_params>();
    auto const dim = static_cast<int>(over.dim);
    bool const tables = n.op->message == collective::permute;
    if (over.table && !tables) return in_groups(x, n, by);
    if (n.op->message == collective::all_reduce) return l_.all_reduced(x, n.op->reduction, over.axes);
    if (by.empty() && !tables) return x;
    if (n.op->message == collective::all_gather) return l_.gathered(x, dim, by);
    if (n.op->message == collective::reduce_scatter) return l_.reduce_scattered(x, dim, by);
    if (!l_.facts(x).varying.contains(by.axes())) x = l_.copied(x, by.axes());  // devices receive different parts
    if (tables) return l_.sent_by(x, over);
    return l_.exchanged(x, dim, static_cast<int>(over.concat_dim), by);
  }

  constexpr int ragged(int id, parts_of_node const& split, entry_value by) {
    int ids[builder::max_operands]{};
    for (int k = 0; k < g_.nodes[id].operand_count; ++k) ids[k] = dense(bring(id, k, split.of(k)));
    collective_params over;
    over.order = by;
    over.adds = g_.nodes[id].attrs.as<collective_params>().adds;
    return l_.ragged(*g_.nodes[id].op, ids, g_.nodes[id].operand_count, over, block(g_.nodes[id].facts, split.made));
  }
  // x in memory, row-major.
  constexpr int dense(int x) {
    return l_.is_view(x) || l_.at(x).op->kind == op_class::argument ? l_.copied(x) : l_.in_memory(x);
  }
  constexpr int in_groups(int x, node const& n, entry_value by) {
    if (by.empty()) return x;
    if (!l_.facts(x).varying.contains(by.axes())) x = l_.copied(x, by.axes());
    collective_params over = n.attrs.as<collective_params>();
    over.axes = over.unchecked = {};
    over.order = by;
    return l_.within_groups(n.op->message, n.op->reduction, x, over);
  }

  constexpr int literal(node const& n) {
    auto const& said = n.attrs.as<literal_params>();
    literal_params made;
    made.element = said.element;
    made.number = said.number;
    made.integer = said.integer;
    return l_.emit(*n.op, nullptr, 0, made, n.facts);
  }
  constexpr int iota(node const& n) {
    iota_params counted;
    counted.dim = n.attrs.as<iota_params>().dim;
    counted.split = layout(n.facts).entry(static_cast<int>(counted.dim));
    return l_.emit(*n.op, nullptr, 0, counted, block(n.facts), counted.split.axes());
  }

  // Operands that are one repeated scalar are used as scalars. If all are, the result is a scalar, repeated.
  constexpr int elementwise(int id) {
    if (int made = -1; keeps_sum(id, made) || casts_elsewhere(id, made)) return made;
    node const& n = g_.nodes[id];
    int ids[builder::max_operands]{};
    bool scalar = true;
    block_layout const to = layout(n.facts);
    for (int k = 0; k < n.operand_count; ++k) {
      ids[k] = l_.scalar_of(local(g_.operand(id, k)));
      if (ids[k] >= 0) continue;
      scalar = false;
      ids[k] = bring(id, k, to);
    }
    array_value made = block(n.facts);
    if (!scalar || made.rank == 0) return l_.emit(*n.op, ids, n.operand_count, n.attrs, made);
    array_value one = made;
    one.rank = 0;
    one.extents = {};
    return l_.filled(l_.emit(*n.op, ids, n.operand_count, n.attrs, one), made);
  }

  // Reduces on each device, then over the axes that split the reduced dimensions.
  constexpr int reduce(int id) {
    node const& n = g_.nodes[id];
    extents_list const& dims = n.attrs.as<reduce_params>().dims;
    block_layout const wanted = layout(n.facts);
    placed const x = n.op->reduction == monoid::sum ? terms(id, 0) : operand(id, 0);
    block_layout from = x.layout, made;
    made.pending = x.layout.pending;
    for (int d = 0; d < from.rank; ++d) {
      if (dims.contains(d)) {
        made.pending |= from.entry(d).axes();
        continue;
      }
      entry_value const to = wanted.entry(made.rank);
      auto const taken = x.layout.used() | x.layout.pending;
      if (begins(from.entry(d), to) && (after(to, from.entry(d).count()).axes() & taken).empty()) from.entry(d) = to;
      made.entry(made.rank++) = from.entry(d);
    }
    array_value const& whole = facts(id, 0);
    l_.change.operand = 0;
    int own = reshard(l_, x, whole, from).id;
    for (auto d : dims)
      own = without_padding(l_, own, static_cast<int>(d), whole, from.entry(static_cast<int>(d)), n.op->reduction);
    array_value result = block(n.facts, made);
    if (n.op->reduction == monoid::sum) result.element = dtype_of_part(id, made.pending);
    own = l_.in_dtype(own, result.element);
    own = l_.emit_step(*n.op, &own, 1, reduce_params{dims}, result);
    return n.op->reduction == monoid::sum ? sum(id, {{own, made}}) : finish(id, own, made, n.op->reduction);
  }

  constexpr int broadcast(int id) {
    node const& n = g_.nodes[id];
    array_value const made = block(n.facts);
    if (int const scalar = l_.scalar_of(local(g_.operand(id, 0))); scalar >= 0) return l_.filled(scalar, made);
    broadcast_params const to{n.attrs.as<broadcast_params>().dims, made.shape()};
    return l_.view(*n.op, bring(id, 0, parts(id).of(0)), to, made);
  }

  // slice, concatenate, pad, update_slice: dimensions along which elements move are not split; the others stay in
  // blocks.
  constexpr int assembled(int id) {
    node const& n = g_.nodes[id];
    parts_of_node const split = parts(id);
    if (int made = -1; n.op->kind == op_class::slice && cut_at_elements(id, split, made)) return made;
    if (int made = -1; n.op->kind == op_class::update_slice && replaced_at_elements(id, split, made)) return made;
    attributes attrs = n.attrs;
    attrs.has_out = false;
    attrs.out = {};
    array_value const result = block(n.facts, split.made);
    int ids[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k)
      ids[k] = facts(id, k).rank == n.facts.rank ? bring(id, k, split.of(k)) : local(g_.operand(id, k));
    if (n.op->kind != op_class::slice)
      return finish(id, l_.emit_step(*n.op, ids, n.operand_count, attrs, result), split.made);
    slice_params part = n.attrs.as<slice_params>();
    for (int d = 0; d < n.facts.rank; ++d)
      if (split.passes(d)) part.limit[d] = result.extent(d);
    return finish(id, l_.view(*n.op, ids[0], part, result), split.made);
  }

  // If the dimension is split, each block is sent `whole` devices further, and elements that cross the border of a
  // block one more device.
  constexpr int rolled(int id) {
    node const& n = g_.nodes[id];
    auto const [along, places] = n.attrs.as<ops::rotate_params>();
    auto const dim = static_cast<int>(along);
    parts_of_node split = parts(id);
    entry_value& by = split.made.entry(dim);
    if (by.empty() || l_.mesh().devices(by.axes()) == dynamic || is_padded(n.facts, dim, by, l_.mesh())) by = {};
    int const x = bring(id, 0, split.made);
    if (l_.scalar_of(x) >= 0) return finish(id, x, split.made);
    auto const extent = block(n.facts, split.made).extent(dim), whole = places / extent, rest = places % extent;
    if (rest == 0) return finish(id, from_before(l_, x, by, whole), split.made);
    static_assert(op_register<ops::concatenate>::done);
    int ends[]{from_before(l_, cut(l_, x, dim, extent - rest, rest), by, whole + 1),
               from_before(l_, cut(l_, x, dim, 0, extent - rest), by, whole)};
    return finish(id, l_.emit_step(planning_info<ops::concatenate>, ends, 2, concatenate_params{dim}, l_.facts(x)),
                  split.made);
  }

  // Batch dimensions, and a free one, have the result's layout. One node computes all results of a call; other nodes name them.
  constexpr int opaque(int id) {
    node const& n = g_.nodes[id];
    if (int made = -1; has_halo(id, made)) return made;
    op_info const& call = n.op->call ? *n.op->call : *n.op;
    array_value plain[opaque_shape::most_operands];
    array_value const* operands[opaque_shape::most_operands]{};
    for (int k = 0; k < n.operand_count; ++k) {
      plain[k] = facts(id, k);
      plain[k].spec = {};
      operands[k] = &plain[k];
    }
    attributes attrs = n.attrs;
    attrs.has_out = false;
    attrs.out = {};
    rule_input const in{l_.mesh(), operands, n.operand_count, attrs};
    opaque_shape const shape = call.shape(in);
    parts_of_node const split = parts(id);
    bool const in_parts = call.adds_windows && parts_go_on(id) && layout(facts(id, 0)) == split.of(0);
    int ids[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k)
      ids[k] = in_parts ? parts_of(id) : bring_full(id, k, split.of(k), monoid::sum);
    extents_list const batch = rule::batch_dims(n.facts.rank, shape.result[n.op->result].dims);
    auto const layout_of = [&](int k, int rank) {
      block_layout made;
      made.rank = rank;
      extents_list const own = rule::batch_dims(rank, shape.result[k].dims);
      for (int i = 0; i < own.size(); ++i)
        made.entry(static_cast<int>(own[i])) = split.made.entry(static_cast<int>(batch[i]));
      if (auto const d = static_cast<int>(shape.free.result); k == 0 && d >= 0) made.entry(d) = split.made.entry(d);
      return made;
    };
    auto const block_of = [&](int k) {
      array_value const whole = rule::opaque(in, shape, k).result;
      return block(whole, layout_of(k, whole.rank));
    };
    int const first = l_.emit_step(call, ids, n.operand_count, attrs, block_of(0));
    int wanted = first;
    for (int k = 1; k < call.results; ++k) {
      int const other = l_.emit(planning_info<ops::opaque_part>, &first, 1, result_params{k}, block_of(k));
      if (k == n.op->result) wanted = other;
    }
    return in_parts ? sum_of_parts(id, wanted, split.made) : finish(id, wanted, split.made);
  }

  // Operands in memory of their own; not split if the effect calls the host (`act`).
  constexpr int effect(int id) {
    node const& n = g_.nodes[id];
    int ids[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k) {
      block_layout to = !n.op->act && k == 0 ? layout(n.facts) : layout(facts(id, k));
      for (int d = 0; n.op->act && d < to.rank; ++d) to.entry(d) = {};
      ids[k] = dense(bring(id, k, to));
    }
    array_value const made = n.op->act ? n.facts : l_.facts(ids[0]);
    return l_.emit_declared(*n.op, ids, n.operand_count, n.attrs, made, n.op->act ? axis_set{} : made.varying);
  }

  constexpr int result_of(int id) {
    int const result = static_cast<int>(g_.nodes[id].attrs.as<result_params>().which), from = g_.operand(id, 0);
    for (lowered_loop const& l : loops_) {
      if (l.node != from) continue;
      int const made = l.made + l.position[result];
      for (accumulator const& all : l.sums)
        if (all.output == g_.output(g_.part(from, loop_of(g_, from).body()), result))
          return sum(id, {{made, all.layout}, -1, all.source, all.as});
      return finish(id, made, layout(loop_result_facts(g_, from, result)));
    }
    return -1;
  }

  growable<lowered_loop> loops_;
};

}  // namespace detail

// share false: the debug mode in which every device stores and computes everything itself. log: records why messages
// are sent, or null. paths: a cache shared by programs on this mesh, or null.
constexpr lowering lower(graph_view global, bool share = true, change_log* log = nullptr,
                         path_source* paths = nullptr) {
  detail::repeated_sums repeated(global.node_count);
  detail::loop_invariants const invariants(global);
  while (true) {
    lowering l(*global.mesh, share, log);
    l.paths = paths;
    detail::lowerer(global, l, repeated, invariants).run();
    if (!repeated.found) return l;
    repeated.found = false;
  }
}

}  // namespace tessera
