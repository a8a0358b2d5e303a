// SPDX-License-Identifier: Apache-2.0
#pragma once
// segment_sum<N>(x, ids), segment_max, segment_min: (n, ...) and [n] -> (N, ...), rows of one id combined; ids outside 0 .. N
// are left out, an empty segment is 0, the lowest or the highest number. bincount<N>(ids): how many of each.
// searchsorted(sorted, x): where x would stand, before its equals, or after_equals, NaN last; int32 of x's shape.
// interp(x, xp, fp): between points (xp, fp), xp ascending; ends continue.
// segments: ids must not be sharded. searchsorted compares all pairs in one reduction: a sharded `sorted` costs an all_reduce.
// Source: JAX 0.10.2 jax.ops, jnp.bincount, jnp.searchsorted, jnp.interp.

#include <tessera/op/create/fill.hpp>
#include <tessera/op/index/take.hpp>

namespace tessera {
namespace ops {

struct segment_params {
  std::int64_t count = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.count); }
};
template <class Self, class Scatter>
struct segments {
  static constexpr op_class kind = op_class::scatter;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[0].facts(), ids = x[1].facts();
    if (ids.rank != 1 || facts.rank < 1)
      return b.template refuse<Self>(refuse(reason::ranks_disagree, -1, {}, ids.rank, 1), facts, ids);
    array_value like = facts;
    like.extent(0) = attrs.as<segment_params>().count;
    like.entry(0) = {};
    like.weak = false;
    attributes const wide{broadcast_params{{}, like.shape()}, layout_of(like)};
    indexing_params to;
    for (int d = 0; d < like.rank; ++d) {
      to.window.push_back(d == 0 ? 1 : facts.extent(d));
      to.runs_along.push_back(d == 0 ? rule::collapsed : d);
    }
    to.indexed.push_back(0);
    to.mode.fill = true;
    auto const none = make<broadcast_to>(b, {Self::none(b, facts.element)}, wide);
    return make<Scatter>(b, {none, x[1], x[0]}, to);
  }
};
// The highest or the lowest number of a type.
template <class B>
constexpr term extreme_of(B& b, dtype element, bool highest) {
  double const inf = std::numeric_limits<double>::infinity();
  if (is_inexact(element)) return number(b, highest ? inf : -inf, element);
  literal_params to;
  to.element = element;
  to.integer = highest ? highest_integer(element) : lowest_integer(element);
  return b.template emit<literal>({}, to);
}
struct segment_sum : segments<segment_sum, scatter_add> {
  static constexpr std::string_view name = "segment_sum";
  template <class B>
  static constexpr term none(B& b, dtype element) {
    return number(b, 0.0, element);
  }
};
struct segment_max : segments<segment_max, scatter_max> {
  static constexpr std::string_view name = "segment_max";
  template <class B>
  static constexpr term none(B& b, dtype element) {
    return extreme_of(b, element, false);
  }
};
struct segment_min : segments<segment_min, scatter_min> {
  static constexpr std::string_view name = "segment_min";
  template <class B>
  static constexpr term none(B& b, dtype element) {
    return extreme_of(b, element, true);
  }
};

struct bincount {
  static constexpr std::string_view name = "bincount";
  static constexpr op_class kind = op_class::scatter;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    full_params to;
    to.element = dtype::int32;
    to.cast = true;
    auto const ones = make<full_like>(b, {x[0], number(b, 1.0, dtype::int32)}, to);
    return make<segment_sum>(b, {ones, x[0]}, attrs);
  }
};

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
    if (is_floating(facts.element)) {  // NaN stands last
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
  static constexpr term build(B& b, term const* operands, int, attributes const&) {
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
    attributes laid = first;  // as x lies, whatever its places are
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

template <std::int64_t N>
struct number_of_segments {
  static_assert(N >= 0, "tessera: a number of segments is not negative.");
  template <Mesh M>
  static constexpr ops::segment_params on() {
    return {N};
  }
};
namespace functions {

template <std::int64_t N, class X, class I>
constexpr auto segment_sum(X const& x, I const& ids, site at = std::source_location::current()) {
  return invoke<ops::segment_sum, number_of_segments<N>>(at, x, ids);
}
template <std::int64_t N, class X, class I>
constexpr auto segment_max(X const& x, I const& ids, site at = std::source_location::current()) {
  return invoke<ops::segment_max, number_of_segments<N>>(at, x, ids);
}
template <std::int64_t N, class X, class I>
constexpr auto segment_min(X const& x, I const& ids, site at = std::source_location::current()) {
  return invoke<ops::segment_min, number_of_segments<N>>(at, x, ids);
}
template <std::int64_t N, class I>
constexpr auto bincount(I const& ids, site at = std::source_location::current()) {
  return invoke<ops::bincount, number_of_segments<N>>(at, ids);
}

}  // namespace functions

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
