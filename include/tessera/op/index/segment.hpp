// SPDX-License-Identifier: Apache-2.0
#pragma once
// segment_sum<N>(x, ids), segment_max, segment_min: (n, ...) and [n] -> (N, ...), with the rows of each id combined;
// ids outside of 0 .. N are ignored; an empty segment is 0, the lowest or the highest number. bincount<N>(ids): the
// count of each id.
//   segment_sum<4>(x, ids)   segment_sum<4>(x, ids, out_sharding<P<>>)   bincount<4>(ids, out_sharding<P<dp>>)
// The rows and ids must be whole, or out_sharding gives the layout of the result. Bytes: with it, split rows are combined
// on each device, and the results of all devices by one all_reduce of that kind, or the rows are gathered if that sends
// less; otherwise none. Source: JAX 0.10.2 jax.ops, jnp.bincount.

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
    for (int d = 0; d < like.rank; ++d)
      if (d == 0 || attrs.has_out) like.entry(d) = {};
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
    attributes combined = attrs;
    combined.set(to);
    return make<Scatter>(b, {none, x[1], x[0]}, combined);
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
    auto const places = x[0].facts().element == dtype::boolean ? cast_to<dtype::int32>(b, x[0]) : x[0];
    return make<segment_sum>(b, {ones, places}, attrs);
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
template <std::int64_t N, class X, class I, Spec S, Mesh M>
constexpr auto segment_sum(X const& x, I const& ids, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::segment_sum, with_out<number_of_segments<N>, S, M>>(at, x, ids);
}
template <std::int64_t N, class X, class I>
constexpr auto segment_max(X const& x, I const& ids, site at = std::source_location::current()) {
  return invoke<ops::segment_max, number_of_segments<N>>(at, x, ids);
}
template <std::int64_t N, class X, class I, Spec S, Mesh M>
constexpr auto segment_max(X const& x, I const& ids, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::segment_max, with_out<number_of_segments<N>, S, M>>(at, x, ids);
}
template <std::int64_t N, class X, class I>
constexpr auto segment_min(X const& x, I const& ids, site at = std::source_location::current()) {
  return invoke<ops::segment_min, number_of_segments<N>>(at, x, ids);
}
template <std::int64_t N, class X, class I, Spec S, Mesh M>
constexpr auto segment_min(X const& x, I const& ids, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::segment_min, with_out<number_of_segments<N>, S, M>>(at, x, ids);
}
template <std::int64_t N, class I>
constexpr auto bincount(I const& ids, site at = std::source_location::current()) {
  return invoke<ops::bincount, number_of_segments<N>>(at, ids);
}
template <std::int64_t N, class I, Spec S, Mesh M>
constexpr auto bincount(I const& ids, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::bincount, with_out<number_of_segments<N>, S, M>>(at, ids);
}

}  // namespace functions

}  // namespace tessera
