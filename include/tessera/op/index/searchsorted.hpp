// SPDX-License-Identifier: Apache-2.0
#pragma once
// searchsorted(sorted, x): where x would stand, before its equals, or after_equals, NaN last; int32 of x's shape.
// interp(x, xp, fp): between points (xp, fp), xp ascending; ends continue.
// searchsorted compares all pairs in one reduction: a sharded `sorted` costs an all_reduce.
// Source: JAX 0.10.2 jnp.searchsorted, jnp.interp.

#include <tessera/op/index/take.hpp>

namespace tessera {
namespace ops {

struct searchsorted_params {
  bool after_equals = false;
  static constexpr void fields(auto& p, auto&& each) { each(p.after_equals); }
};
struct searchsorted {
  static constexpr std::string_view name = "searchsorted";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const sorted = x[0].facts(), facts = x[1].facts();
    if (sorted.rank != 1)
      return b.template refuse<searchsorted>(refuse(reason::ranks_disagree, -1, {}, sorted.rank, 1), sorted);
    auto const each = make<expand_dims>(b, {x[1]}, expand_dims_params{{facts.rank}});
    if (!each) return each;
    bool const after = attrs.as<searchsorted_params>().after_equals;
    term below = after ? make<less_equal>(b, {x[0], each}) : make<less>(b, {x[0], each});
    if (is_floating(facts.element)) {  // NaN is last
      auto const missing = make<isnan>(b, {each});
      auto const number = after ? missing : make<equal>(b, {x[0], x[0]});
      below = make<logical_or>(b, {below, make<logical_and>(b, {missing, number})});
    }
    return make<reduce_sum>(b, {make<cast>(b, {below}, cast_params{dtype::int32})}, reduce_params{{facts.rank}});
  }
};

struct interp {
  static constexpr std::string_view name = "interp";
  static constexpr op_class kind = op_class::gather;
  template <class B>
  static constexpr term build(B& b, term const* given, int, attributes const&) {
    term operands[]{given[0], given[1], given[2]};
    if (!tessera::detail::promote_dtypes_inexact(b, operands, 3)) return {&b, -1};
    array_value const points = operands[1].facts(), values = operands[2].facts();
    if (points.rank == 1 && points.extent(0) == 0)
      return b.template refuse<interp>(refuse(reason::no_elements, 0), points, values);
    if (points.rank != 1 || !points.same_shape(values))
      return b.template refuse<interp>(refuse(reason::ranks_disagree, -1, {}, points.rank, 1), points, values);
    auto const last = static_cast<double>(points.extent(0) - 1);
    attributes const first = take_params{{0}};
    term const ends[]{make<take>(b, {operands[1], number(b, 0.0, dtype::int32)}, first),
                      make<take>(b, {operands[1], number(b, last, dtype::int32)}, first)};
    // Not by minimum and maximum: at the ends x has its whole gradient.
    term x = operands[0];
    x = make<where>(b, {make<less>(b, {x, ends[0]}), ends[0], x});
    x = make<where>(b, {make<greater>(b, {x, ends[1]}), ends[1], x});
    if (!x) return x;
    attributes laid = first;  // x's layout, for any places
    laid.has_out = true;
    laid.out = layout_of(x.facts());
    auto const right = make<searchsorted>(b, {operands[1], x}, searchsorted_params{true});
    auto const high = make<minimum>(b, {right, number(b, last, dtype::int32)});
    auto const low = make<maximum>(b, {high - number(b, 1.0, dtype::int32), number(b, 0.0, dtype::int32)});
    auto const x0 = make<take>(b, {operands[1], low}, laid), x1 = make<take>(b, {operands[1], high}, laid);
    auto const y0 = make<take>(b, {operands[2], low}, laid), y1 = make<take>(b, {operands[2], high}, laid);
    term const span = x1 - x0;
    auto const flat = make<equal>(b, {span, number(b, 0.0)});
    auto const safe = make<where>(b, {flat, number(b, 1.0), span});
    term const part = (x - x0) / safe;
    term const between = y0 + part * (y1 - y0);
    return make<where>(b, {flat, y1, between});
  }
};

}  // namespace ops

template <bool Equals>
struct found_after {
  template <Mesh M>
  static constexpr ops::searchsorted_params on() {
    return {Equals};
  }
};

struct after_equals_t {};
inline constexpr after_equals_t after_equals{};

namespace functions {

template <class X, class Y>
constexpr auto searchsorted(X const& sorted, Y const& x, site at = std::source_location::current()) {
  return invoke<ops::searchsorted, found_after<false>>(at, sorted, x);
}
template <class X, class Y>
constexpr auto searchsorted(X const& sorted, Y const& x, after_equals_t, site at = std::source_location::current()) {
  return invoke<ops::searchsorted, found_after<true>>(at, sorted, x);
}
template <class X, class P, class V>
constexpr auto interp(X const& x, P const& points, V const& values, site at = std::source_location::current()) {
  return invoke<ops::interp, no_params>(at, x, points, values);
}

}  // namespace functions
}  // namespace tessera
