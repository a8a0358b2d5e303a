// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations computed in parts, by their factors, with gathers and scatters: these are local along the dimensions of
// their indices. Devices may scatter different parts of the updates; their results are then combined.

#include <tessera/op/index/update_slice.hpp>
#include <tessera/plan/lower/lower_elements.hpp>

namespace tessera::detail {

class index_lowerer : public split_elements {
public:
  using split_elements::split_elements;

protected:
  // Dimensions along which windows are selected are whole, the others stay in blocks. Index arrays are split like the
  // dimensions of the result that they determine.
  constexpr int indexed(int id) {
    node const& n = g_.nodes[id];
    bool const writes = n.op->kind == op_class::scatter;
    int const indices = n.operand_count - (writes ? 2 : 1);
    array_value const& x = facts(id, 0);
    parts_of_node split = parts(id);
    monoid const how = n.op->reduction;
    axis_set const combined = writes ? least_sent(id, split) : axis_set{};
    block_layout const from = split.of(0);
    if (int made = -1; at_elements(id, split, made)) return made;
    int ids[builder::max_operands]{bring(id, 0, from)};
    if (!combined.empty() && !counts_once(ids[0], how)) ids[0] = as_part(l_, ids[0], combined, how);
    for (int k = 1; k <= indices; ++k)
      ids[k] = facts(id, k).rank == 0 ? local(g_.operand(id, k)) : bring(id, k, split.of(k));
    if (writes) ids[indices + 1] = bring_full(id, indices + 1, split.of(indices + 1), how);
    indexing_params windows = n.attrs.as<indexing_params>();
    array_value const part = block(x, from);
    for (int d = 0; d < x.rank; ++d)
      if (windows.window[d] == x.extent(d)) windows.window[d] = part.extent(d);
    array_value result = block(n.facts, split.made);
    if (how == monoid::sum) result.element = dtype_of_part(id, combined);
    ids[0] = l_.in_dtype(ids[0], result.element);
    if (writes) ids[indices + 1] = l_.in_dtype(ids[indices + 1], result.element);
    update_slice_params replaced;
    if (writes && how == monoid::none && replaces_slice(ids, windows, part, replaced)) {
      static_assert(op_register<ops::update_slice>::done);
      int both[]{ids[0], ids[indices + 1]};
      return changed_later(id, l_.emit_step(planning_info<ops::update_slice>, both, 2, replaced, result), split.made);
    }
    int const made = l_.emit_step(*n.op, ids, n.operand_count, windows, result);
    return !combined.empty() && how == monoid::sum ? sum(id, {{made, split.made}})
                                                   : changed_later(id, made, split.made, how);
  }

private:
  // Whether a scatter writes one window, inside of x, at a place that is known: a slice of x is replaced.
  constexpr bool replaces_slice(int const* ids, indexing_params const& windows, array_value const& x,
                                update_slice_params& to) const {
    int const count = windows.indexed.size();
    array_value const& part = l_.facts(ids[count + 1]);
    if (part.rank != x.rank || x.size() == dynamic) return false;
    for (int d = 0; d < x.rank; ++d) {
      if (windows.runs_along[d] != d || part.extent(d) != windows.window[d]) return false;
      to.start.push_back(0);
    }
    for (int k = 0; k < count; ++k) {
      node const& place = l_.at(ids[k + 1]);
      if (place.op->kind != op_class::literal) return false;
      auto const start = place.attrs.as<literal_params>().integer;
      auto const d = static_cast<int>(windows.indexed[k]);
      if (start < 0 || start > x.extent(d) - windows.window[d]) return false;
      to.start[d] = start;
    }
    return true;
  }
  // The updates of a scatter may keep their layout if that sends fewer bytes in total: along indexed dimensions, if the
  // scatter combines (each device's result is then that of its own updates, to be combined over these axes, which are
  // returned), and along dimensions that pass through (the result is split there, and brought to its own layout
  // afterwards).
  constexpr axis_set least_sent(int id, parts_of_node& split) {
    node const& n = g_.nodes[id];
    int const last = n.operand_count - 1;
    if (!n.facts.unreduced.empty() || !(layout(facts(id, last)).pending | split.made.pending).empty()) return {};
    auto const bytes = [&] { return bytes_in(id, split, split.of(0)); };
    entry_value asked[factor_map::most];
    for (int f = 0; f < split.map.count; ++f) asked[f] = split.by.by[f];
    int best = 0;
    std::int64_t least = bytes();
    for (int kept : {combines, combines | passed, passed}) {
      if (keep(id, split, kept)) {
        std::int64_t const now = bytes();
        if (now < least) best = kept;
        if (now < least) least = now;
      }
      for (int f = 0; f < split.map.count; ++f) split.by.by[f] = asked[f];
      split.made.pending = {};
      split.join();
    }
    if (best != 0) keep(id, split, best);
    return split.made.pending;
  }
  static constexpr int combines = 1, passed = 2;
  // Splits dimensions of these kinds (`which`) like the last operand; false unless that splits at least one of each
  // kind.
  constexpr bool keep(int id, parts_of_node& split, int which) const {
    int const last = g_.nodes[id].operand_count - 1;
    block_layout const own = layout(facts(id, last));
    axis_set const used = split.made.used();
    int kept = 0;
    for (int r = 0; r < own.rank; ++r) {
      int const f = split.map.first(last, r);
      entry_value& by = split.by.by[f];
      axis_set const more = own.entry(r).axes() - by.axes();
      bool const gone = split.map.kind[f] == factor_kind::summed;
      int const kind = gone ? combines : split.map.kind[f] == factor_kind::passed ? passed : 0;
      if (!(which & kind) || more.empty() || !begins(by, own.entry(r)) || !(more & used).empty()) continue;
      if (gone) split.made.pending |= more;
      by = own.entry(r);
      kept |= kind;
    }
    split.join();
    return kept == which;
  }
  // Whether x may be on all devices whose parts are combined: an extreme of x and x is x, and the identity adds nothing.
  constexpr bool counts_once(int x, monoid how) const {
    if (how == monoid::max || how == monoid::min) return true;
    int const scalar = l_.scalar_of(x);
    if (scalar < 0 || l_.at(scalar).op->kind != op_class::literal) return false;
    literal_params const& said = l_.at(scalar).attrs.as<literal_params>();
    literal_params const none = identity_literal(how, said.element);
    return is_inexact(said.element) ? said.number == none.number : said.integer == none.integer;
  }
};

}  // namespace tessera::detail
