// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(index...).set(v) and the other updates as operations: a scatter puts v there.

#include <tessera/op/index/index_entries.hpp>
#include <tessera/op/index/index_plan.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/shape/broadcast_to.hpp>

namespace tessera {
namespace ops {

// (x, index operands..., v) -> x with v written by Scatter.
template <class Self, class Scatter>
struct index_update {
  static constexpr op_class kind = op_class::scatter;

  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    array_value const x = operands[0].facts();
    term given[builder::max_operands]{};
    for (int k = 1; k < count - 1; ++k) given[k - 1] = operands[k];
    int const index_rank = detail::join_indices<Self>(b, x, given, count - 2);
    if (index_rank < 0) return {&b, -1};
    auto const asked = attrs.as<detail::index_params>();
    detail::index_plan const p = detail::read_index(x, asked, index_rank > 0);
    if (!p.what) return b.template refuse<Self>(p.what, x);
    for (int d = 0; d < x.rank; ++d)
      if (int const k = p.operand[d]; k > 0)
        if (verdict const v = detail::judge_index(b, x, d, given[k - 1], asked.mode, asked.axes); !v)
          return b.template refuse<Self>(v, x);
    // All indices of a dimension without elements are outside.
    for (int d = 0; d < x.rank; ++d)
      if (int const k = p.operand[d]; k > 0 && x.extent(d) == 0 && given[k - 1].facts().rank > 0) return operands[0];
    extents_list sizes;
    for (int d = 0; d < x.rank; ++d)
      sizes.push_back(p.operand[d] > 0 ? 1 : x.extent(d) == dynamic ? dynamic : p.limit[d] - p.start[d]);
    indexing_params windows = detail::windows_in_order(p, x, sizes, index_rank);
    windows.mode = asked.mode.of_gather();
    term all[builder::max_operands]{operands[0]};
    for (int d = 0; d < x.rank; ++d) {
      int const k = p.operand[d];
      if (k == 0 && !p.cut.contains(d)) continue;
      all[windows.indexed.size() + 1] = k > 0 ? given[k - 1] : place_of(b, p.start[d]);
      windows.indexed.push_back(d);
    }
    attributes to = attrs;
    to.set(windows);
    int const used = windows.indexed.size();
    array_value facts[builder::max_operands]{};
    array_value const* pointers[builder::max_operands]{};
    for (int i = 0; i <= used; ++i) {
      facts[i] = all[i].facts();
      pointers[i] = &facts[i];
    }
    rule_input const places{b.mesh(), pointers, used + 1, to};
    verdict fits = rule::picked(places, used, false);
    if (fits && !attrs.has_out) fits = rule::lawful(fits.result, b.mesh());
    if (fits && !attrs.has_out) {
      array_value const update = operands[count - 1].facts();
      if (verdict const v = lies_as(update, detail::with_fresh(p, fits.result, index_rank)); !v)
        return b.template refuse<Self>(v, x, update);
      fits = rule::picked(places, used, true);
    }
    if (!fits) return b.template refuse<Self>(fits, x, facts[fits.operand > 0 ? fits.operand : used > 0 ? 1 : 0]);
    array_value want = fits.result;
    want.unreduced = want.reduced = {};
    if (attrs.has_out) want.spec = {};
    array_value const wide = detail::with_fresh(p, want, index_rank);
    term v = operands[count - 1];
    if (v.facts().element != x.element) v = make<cast>(b, {v}, cast_params{x.element});
    attributes as = broadcast_params{{}, wide.shape()};
    as.has_out = wide.rank > 0 && v.facts().unreduced.empty();
    as.out = layout_of(wide);
    if (attrs.has_out) as.has_out = false;
    v = make<broadcast_to>(b, {v}, as);
    if (v && wide.rank != want.rank) {
      array_value laid = want;
      if (!as.has_out) laid.spec = {};
      v = make<reshape>(b, {v}, expand_dims::shape_and_layout(laid));
    }
    all[used + 1] = v;
    return make<Scatter>(b, all, used + 2, to);
  }

private:
  template <class B>
  static constexpr term place_of(B& b, std::int64_t start) {
    literal_params place;
    place.element = start <= highest_integer(dtype::int32) ? dtype::int32 : dtype::int64;
    place.integer = start;
    return b.template emit<literal>({}, place);
  }
  // Before v is broadcast it is split as the place is, or whole.
  static constexpr verdict lies_as(array_value const& update, array_value const& place) {
    for (int d = 0; d < update.rank; ++d) {
      int const at = d + place.rank - update.rank;
      if (at < 0 || update.extent(d) == 1 || update.entry(d).empty() || update.entry(d) == place.entry(at)) continue;
      verdict v = refuse(reason::dims_disagree, at, place.entry(at).axes() | update.entry(d).axes());
      v.operand = 1;
      return v;
    }
    return {};
  }
};
struct at_set : index_update<at_set, scatter> {
  static constexpr std::string_view name = "at.set";
};
struct at_add : index_update<at_add, scatter_add> {
  static constexpr std::string_view name = "at.add";
};
struct at_multiply : index_update<at_multiply, scatter_mul> {
  static constexpr std::string_view name = "at.multiply";
};
struct at_min : index_update<at_min, scatter_min> {
  static constexpr std::string_view name = "at.min";
};
struct at_max : index_update<at_max, scatter_max> {
  static constexpr std::string_view name = "at.max";
};

}  // namespace ops
}  // namespace tessera
