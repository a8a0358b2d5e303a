// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers in Python's positions that are template arguments here, roll(x, 1, 0), pad(x, 1), split(key, 3), all of them or
// some, repeat<1>(x, 32), and parts of an array used as values, x.at(0) + 1: one sentence instead of a list of candidates.

#include <tessera/api/at.hpp>
#include <tessera/api/made_otherwise.hpp>

namespace tessera {
namespace functions {

template <class X, class I>
constexpr auto take_along_axis(X const& x, I const&, site at = std::source_location::current()) {
  return detail::refused_as<written::numbers_as_arguments>(x, at);
}
template <class X, class I>
constexpr auto segment_sum(X const& x, I const&, site at = std::source_location::current()) {
  return detail::refused_as<written::numbers_as_arguments>(x, at);
}
template <class X, class I>
constexpr auto segment_max(X const& x, I const&, site at = std::source_location::current()) {
  return detail::refused_as<written::numbers_as_arguments>(x, at);
}
template <class X, class I>
constexpr auto segment_min(X const& x, I const&, site at = std::source_location::current()) {
  return detail::refused_as<written::numbers_as_arguments>(x, at);
}
template <class I>
constexpr auto bincount(I const& ids, site at = std::source_location::current()) {
  return detail::refused_as<written::numbers_as_arguments>(ids, at);
}
template <class A, class B>
constexpr auto triangular_solve(A const& a, B const&, detail::misplaced, detail::misplaced = 0, detail::misplaced = 0,
                                site at = std::source_location::current()) {
  return detail::refused_as<written::flags_as_arguments>(a, at);
}
template <class X>
constexpr auto dynamic_slice(X const& x, std::initializer_list<std::int64_t>, std::initializer_list<std::int64_t>,
                             site at = std::source_location::current()) {
  return detail::refused_as<written::numbers_as_arguments>(x, at);
}
template <class X>
constexpr auto pad(X const& x, std::initializer_list<std::initializer_list<int>>,
                   site at = std::source_location::current()) {
  return detail::refused_as<written::padding_as_argument>(x, at);
}
template <class X, class V, detail::Padding... Given>
  requires(!detail::Paddings<Given...>)
constexpr auto pad(X const& x, V const&, Given...) {
  return detail::refused_as<written::padding_as_argument>(x, site{});
}
template <fixed_string Element, class X>
constexpr auto astype(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::element_as_name>(x, at);
}
template <class... Number>
  requires((std::is_integral_v<Number> && ...) && (sizeof...(Number) == 1 || sizeof...(Number) == 3))
constexpr auto span(Number const&...) {
  written::numbers_as_arguments<Number...>::explain();
  return poisoned<explained<>>{};
}
template <class X>
  requires(!ElementNumber<typename detail::numbers_in<X>::element>)
constexpr auto constant(X const&) {
  written::constant_of_values<X>::explain();
  return poisoned<explained<>>{};
}
template <class X, class Where>
  requires detail::says_layout<Where>
constexpr auto zeros_like(X const& x, Where const&, site at = std::source_location::current()) {
  return detail::refused_as<written::placed_by_spec>(x, at);
}
template <class X, class Where>
  requires detail::says_layout<Where>
constexpr auto ones_like(X const& x, Where const&, site at = std::source_location::current()) {
  return detail::refused_as<written::placed_by_spec>(x, at);
}

}  // namespace functions

namespace random {

template <class Key>
constexpr auto split(Key const& key, tessera::detail::misplaced, site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::numbers_as_arguments>(key.data, at);
}
template <class Key>
constexpr auto split_batch(Key const& key, tessera::detail::misplaced, tessera::detail::misplaced = 0,
                           site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::numbers_as_arguments>(key.data, at);
}

}  // namespace random

namespace detail {

template <class X>
inline constexpr bool is_part = false;
template <class X, class... Index>
inline constexpr bool is_part<indexed<X, Index...>> = true;
template <class X, class... Index>
inline constexpr bool is_part<indexed_update<X, Index...>> = true;

template <class L, class R>
constexpr auto part_as_value([[maybe_unused]] L const& l, [[maybe_unused]] R const& r) {
  if constexpr (requires { l.x.graph; }) {
    return refused_as<written::place_as_value>(l.x, site{});
  } else if constexpr (requires { r.x.graph; }) {
    return refused_as<written::place_as_value>(r.x, site{});
  } else {
    written::place_as_value<L, R>::explain();
    return poisoned<explained<>>{};
  }
}

}  // namespace detail

template <class X>
  requires detail::is_part<X>
constexpr auto operator-(X const& x) { return detail::part_as_value(x, 0); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator+(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator-(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator*(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator/(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator<(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator>(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator<=(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator>=(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator==(L const& l, R const& r) { return detail::part_as_value(l, r); }
template <class L, class R>
  requires(detail::is_part<L> || detail::is_part<R>)
constexpr auto operator!=(L const& l, R const& r) { return detail::part_as_value(l, r); }

}  // namespace tessera
