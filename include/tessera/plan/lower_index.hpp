// SPDX-License-Identifier: Apache-2.0
#pragma once
// How operations are computed in parts, by their factors; gathers and scatters among them: local along the dimensions of
// their indices. Devices that scatter other parts of what is added have partial sums of the result.

#include <tessera/graph/factors.hpp>
#include <tessera/plan/lower_moved.hpp>

namespace tessera::detail {

// How a node is computed in parts: its result as its layout says, as far as its factors may be split, and its operands
// as these factors are.
struct parts_of_node {
  factor_map map;
  factor_layout by;
  block_layout made;

  constexpr parts_of_node(factor_map const& factors, mesh_value const& mesh, block_layout const& wanted)
      : map(factors), by(map, mesh), made(wanted) {
    by.take(map.result(), wanted.spec, wanted.rank);
    made.pending = {};
    for (int d = 0; d < made.rank; ++d) made.entry(d) = by.joined(map.result(), d);
  }
  parts_of_node(parts_of_node const&) = delete;
  parts_of_node& operator=(parts_of_node const&) = delete;

  constexpr block_layout of(int operand) const {
    block_layout layout;
    layout.rank = map.ranks[operand];
    for (int d = 0; d < layout.rank; ++d) layout.entry(d) = by.joined(operand, d);
    return layout;
  }
  // Does dimension d of the result stay as it is split?
  constexpr bool passes(int d) const { return map.kind[map.first(map.result(), d)] == factor_kind::passed; }
};

class index_lowerer : public moved_values {
public:
  using moved_values::moved_values;

protected:
  constexpr parts_of_node parts(int id) const {
    node const& n = g_.nodes[id];
    array_value const* operands[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k) operands[k] = &facts(id, k);
    return {factors_of(*n.op, {l_.mesh(), operands, n.operand_count, n.attrs}, n.facts), l_.mesh(), layout(n.facts)};
  }

  // Windows on whole dimensions where they are picked, on blocks elsewhere; index arrays are split as the result's
  // dimensions that run along them.
  constexpr int indexed(int id) {
    node const& n = g_.nodes[id];
    bool const writes = n.op->kind == op_class::scatter;
    int const indices = n.operand_count - (writes ? 2 : 1);
    array_value const& x = facts(id, 0);
    parts_of_node split = parts(id);
    split.made.pending = layout(x).pending;
    axis_set const summed = writes && n.op->reduction == monoid::sum ? sum_parts(id, split) : axis_set{};
    block_layout const from = split.of(0);
    int ids[builder::max_operands]{bring(id, 0, from)};
    if (!summed.empty() && !is_zero(ids[0])) ids[0] = as_partial_sum(l_, ids[0], summed);
    for (int k = 1; k <= indices; ++k)
      ids[k] = facts(id, k).rank == 0 ? local(g_.operand(id, k)) : bring(id, k, split.of(k));
    if (writes) ids[indices + 1] = bring_full(id, indices + 1, split.of(indices + 1), n.op->reduction);
    indexing_params windows = n.attrs.as<indexing_params>();
    array_value const part = block(x, from);
    for (int d = 0; d < x.rank; ++d)
      if (windows.window[d] == x.extent(d)) windows.window[d] = part.extent(d);
    array_value const result = block(n.facts, split.made);
    int const made = l_.emit_step(*n.op, ids, n.operand_count, windows, result);
    return summed.empty() ? finish(id, made, split.made) : sum(id, {{made, split.made}});
  }

private:
  // A scatter that adds may leave what it goes over as it is split, and its result as partial sums, where adding these up
  // sends less than bringing all of it together. Returns the axes.
  constexpr axis_set sum_parts(int id, parts_of_node& split) const {
    node const& n = g_.nodes[id];
    int const last = n.operand_count - 1;
    array_value const& parts = facts(id, last);
    block_layout const own = layout(parts);
    if (!n.facts.unreduced.empty() || !(own.pending | split.made.pending).empty() || !l_.mesh().uneven.empty())
      return {};
    auto const bytes = [&] {
      std::int64_t all = layout_search(l_.mesh(), n.facts, split.made, layout(n.facts)).bytes();
      for (int k = 1; k <= last; ++k)
        if (block_layout to = split.of(k), at = layout(facts(id, k)); to.pending = at.pending, !(to == at))
          all += layout_search(l_.mesh(), facts(id, k), at, to).bytes();
      return all;
    };
    std::int64_t const together = bytes();
    axis_set const used = split.made.used();
    for (int r = 0; r < parts.rank; ++r) {
      int const f = split.map.first(last, r);
      if (split.map.kind[f] != factor_kind::summed || !(own.entry(r).axes() & used).empty()) continue;
      split.by.by[f] = own.entry(r);
      split.made.pending |= own.entry(r).axes();
    }
    axis_set const summed = split.made.pending;
    if (summed.empty() || bytes() < together) return summed;
    for (int f = 0; f < split.map.count; ++f)
      if (split.map.kind[f] == factor_kind::summed) split.by.by[f] = {};
    split.made.pending = {};
    return {};
  }
  constexpr bool is_zero(int x) const {
    int const scalar = l_.scalar_of(x);
    if (scalar < 0 || l_.at(scalar).op->kind != op_class::literal) return false;
    literal_params const& said = l_.at(scalar).attrs.as<literal_params>();
    return said.number == 0 && said.integer == 0;
  }
};

}  // namespace tessera::detail
