// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.at(index...).set(v) and the other updates as operations: a scatter puts v there.

#include <tessera/op/index/index_entries.hpp>
#include <tessera/op/index/index_op.hpp>
#include <tessera/op/index/index_plan.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/shape/broadcast_to.hpp>

namespace tessera {
namespace ops {

struct pad;
struct where;

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
    if (stepped(p)) return written_in_steps(b, operands, count, attrs, asked);
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
  static constexpr bool stepped(detail::index_plan const& p) {
    for (auto step : p.step)
      if (step != 1) return true;
    return !p.flipped.empty();
  }
  // The entries of spans with steps, the others whole dimensions; or the other way round.
  static constexpr detail::index_params entries_with(detail::index_params const& asked, bool steps) {
    using detail::index_entry;
    detail::index_params to;
    to.mode = asked.mode;
    to.axes = asked.axes;
    for (int e = 0; e < asked.what.size(); ++e) {
      auto const what = static_cast<index_entry>(asked.what[e]);
      bool const here = what == index_entry::span && asked.step[e] != 1;
      if (steps && what == index_entry::newaxis) continue;
      if (what == index_entry::ellipsis || here == steps)
        to.add(what, asked.start[e], asked.stop[e], asked.step[e]);
      else
        to.add(index_entry::span, 0, to_end, 1);
    }
    return to;
  }
  // The elements that spans with steps pick are changed as an array of their own, and take the places of the old ones.
  template <class B>
  static constexpr term written_in_steps(B& b, term const* operands, int count, attributes const& attrs,
                                         detail::index_params const& asked) {
    array_value const x = operands[0].facts();
    detail::index_params const steps = entries_with(asked, true);
    detail::index_plan const p = detail::read_index(x, steps, false);
    attributes rest = attrs;
    rest.set(entries_with(asked, false));
    term all[builder::max_operands]{};
    for (int k = 0; k < count; ++k) all[k] = operands[k];
    all[0] = make<index>(b, {operands[0]}, steps);
    if (!all[0]) return all[0];
    bool const none = all[0].facts().size() == 0;
    term part = make<Self>(b, all, count, rest);
    if (!part || none) return part ? operands[0] : part;
    pad_params by;
    flip_params turned;
    array_value picked;
    picked.element = dtype::boolean;
    for (int d = 0; d < x.rank; ++d) {
      bool const here = p.step[d] != 1 || p.flipped.contains(d);
      std::int64_t const n = part.facts().extent(d), gap = here ? p.step[d] - 1 : 0, low = here ? p.start[d] : 0;
      std::int64_t const high = here ? x.extent(d) - low - (n - 1) * (gap + 1) - 1 : 0;
      by.low.push_back(low);
      by.high.push_back(high);
      by.interior.push_back(gap);
      picked.add_dim(here ? n : 1);
      if (p.flipped.contains(d)) turned.dims.push_back(d);
    }
    term mask = make<broadcast_to>(b, {number(b, 1.0, dtype::boolean)}, broadcast_params{{}, picked.shape()});
    part = make<pad>(b, {part, number(b, 0.0, x.element)}, by);
    mask = make<pad>(b, {mask, number(b, 0.0, dtype::boolean)}, by);
    if (!turned.dims.empty() && part && mask) {
      part = make<flip>(b, {part}, turned);
      mask = make<flip>(b, {mask}, turned);
    }
    if (!part || !mask) return part ? mask : part;
    return make<where>(b, {mask, part, detail::laid_out_as(b, operands[0], part.facts())});
  }
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
