// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a traced global program to one device's local program: every value becomes its block, every change of layout a
// reshard, every reduction over a split dimension an all_reduce. By class of op; dead nodes drop out.

#include <tessera/plan/lower_dot.hpp>
#include <tessera/plan/reshard.hpp>

namespace tessera {
namespace detail {

class lowerer {
 public:
  constexpr lowerer(graph_view global, lowering& l) : g_(global), l_(l) {
    needed_.resize(static_cast<std::size_t>(g_.node_count), false);
    at_.resize(static_cast<std::size_t>(g_.node_count), -1);
    for (int i = 0; i < g_.output_count; ++i) needed_[static_cast<std::size_t>(g_.outputs[i])] = true;
    for (int i = 0; i < g_.input_count; ++i) needed_[static_cast<std::size_t>(g_.inputs[i])] = true;
    for (int id = g_.node_count - 1; id >= 0; --id)
      if (needed_[static_cast<std::size_t>(id)])
        for (int k = 0; k < g_[id].operand_count; ++k) needed_[static_cast<std::size_t>(g_.operand(id, k))] = true;
  }

  constexpr void run() {
    l_.local.nodes.reserve(static_cast<std::size_t>(g_.node_count) + 32);
    for (int id = 0; id < g_.node_count; ++id) {
      if (!needed_[static_cast<std::size_t>(id)]) continue;
      l_.here = g_[id].at;
      l_.cause = g_[id].op;
      at_[static_cast<std::size_t>(id)] = node(id);
    }
    for (int i = 0; i < g_.input_count; ++i) l_.local.inputs.push_back(local(g_.inputs[i]));
    for (int i = 0; i < g_.output_count; ++i) output(local(g_.outputs[i]));
  }

 private:
  constexpr int local(int id) const { return at_[static_cast<std::size_t>(id)]; }
  constexpr array_value const& operand_facts(int id, int k) const { return g_[g_.operand(id, k)].facts; }
  constexpr array_value block(array_value const& global) const { return local_block(global, l_.mesh()); }
  constexpr int bring(int id, int k, array_value const& like) {
    array_value const& own = operand_facts(id, k);
    int const x = local(g_.operand(id, k));
    if (own.same_spec(like) && own.unreduced == like.unreduced) return x;
    return reshard(l_, as_placed(x, own), as_placed(-1, like)).id;
  }
  // Views keep no memory of their own; outputs need one each.
  constexpr void output(int id) {
    bool taken = l_.local.nodes[static_cast<std::size_t>(id)].op->kind == op_class::argument || !l_.plain(id);
    for (int const other : l_.local.outputs) taken = taken || other == id;
    l_.local.outputs.push_back(taken ? l_.copied(id) : id);
  }

  constexpr int node(int id) {
    tessera::node const& n = g_[id];
    switch (n.op->kind) {
      case op_class::argument: return l_.emit(*n.op, {}, n.attrs, block(n.facts), n.facts.sharded_axes() | n.facts.unreduced | n.facts.varying);
      case op_class::literal: return l_.emit(*n.op, {}, n.attrs, block(n.facts));
      case op_class::iota: return iota(id);
      case op_class::elementwise: return elementwise(id);
      case op_class::reduce: return reduce(id);
      case op_class::dot: return lower_dot(l_, n, as_placed(local(g_.operand(id, 0)), operand_facts(id, 0)), operand_facts(id, 0),
                                           as_placed(local(g_.operand(id, 1)), operand_facts(id, 1)), operand_facts(id, 1));
      case op_class::broadcast: return broadcast(id);
      case op_class::reshape: return reshaped(id);
      case op_class::reshard: return bring(id, 0, n.facts);
      case op_class::identity: return local(g_.operand(id, 0));
      case op_class::permute:
      case op_class::slice: return l_.emit(*n.op, {local(g_.operand(id, 0))}, n.attrs, block(n.facts), {}, false);
      default: return assembled(id);
    }
  }

  // Where the dimension is split, attrs.out[0] says by what: elements count from the device's part on.
  constexpr int iota(int id) {
    attributes attrs;
    tessera::node const& n = g_[id];
    attrs.integer = n.attrs.integer;
    attrs.out.rank = 1;
    attrs.out.entries[0] = n.facts.entry(static_cast<int>(attrs.integer));
    return l_.emit(*n.op, {}, attrs, block(n.facts), attrs.out[0].axes());
  }

  constexpr int elementwise(int id) {
    tessera::node const& n = g_[id];
    int ids[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k)
      ids[k] = operand_facts(id, k).rank == 0 ? local(g_.operand(id, k)) : bring(id, k, n.facts);
    return l_.emit(*n.op, ids, n.operand_count, n.attrs, block(n.facts));
  }

  constexpr int reduce(int id) {
    tessera::node const& n = g_[id];
    array_value const& x = operand_facts(id, 0);
    placed result;
    result.rank = 0;
    axis_set over;
    for (int d = 0; d < x.rank; ++d) {
      if (n.attrs.first.contains(d))
        over |= x.entry(d).axes();
      else
        result.entry(result.rank++) = x.entry(d);
    }
    array_value facts = n.facts;
    facts.spec = result.spec;
    result.id = l_.emit(*n.op, {local(g_.operand(id, 0))}, n.attrs, block(facts));
    result.id = l_.all_reduced(result.id, n.op->reduction, over);
    return reshard(l_, result, as_placed(-1, n.facts)).id;
  }

  constexpr int broadcast(int id) {
    tessera::node const& n = g_[id];
    array_value like = operand_facts(id, 0);
    for (int i = 0; i < like.rank; ++i) {
      auto const d = static_cast<int>(n.attrs.first[i]);
      if (like.extent(i) == n.facts.extent(d)) like.entry(i) = n.facts.entry(d);
    }
    like.unreduced = n.facts.unreduced;
    int const x = bring(id, 0, like);
    attributes attrs;
    attrs.first = n.attrs.first;
    return l_.emit(*n.op, {x}, attrs, block(n.facts), {}, false);
  }

  // Rule and builder made sure that blocks of one are blocks of the other.
  constexpr int reshaped(int id) {
    array_value const result = block(g_[id].facts);
    int x = local(g_.operand(id, 0));
    if (!l_.plain(x) && !rule::detail::same_but_ones(l_.facts(x), result)) x = l_.copied(x);
    attributes attrs;
    for (int d = 0; d < result.rank; ++d) attrs.first.push_back(result.extent(d));
    return l_.emit(*g_[id].op, {x}, attrs, result, {}, false);
  }

  // concatenate, pad, update_slice, opaque: the dimensions they work on are whole in all operands and the result.
  constexpr int assembled(int id) {
    tessera::node const& n = g_[id];
    int ids[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k)
      ids[k] = operand_facts(id, k).rank == n.facts.rank && n.facts.rank > 0 ? bring(id, k, n.facts) : local(g_.operand(id, k));
    return l_.emit(*n.op, ids, n.operand_count, n.attrs, block(n.facts));
  }

  graph_view g_;
  lowering& l_;
  growable<bool> needed_;
  growable<int> at_;
};

}  // namespace detail

// share false: the debug mode in which every device stores and computes everything itself.
constexpr lowering lower(graph_view global, bool share = true) {
  lowering l(*global.mesh, share);
  detail::lowerer(global, l).run();
  return l;
}

}  // namespace tessera
