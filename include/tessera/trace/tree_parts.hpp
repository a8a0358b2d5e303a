// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of a named tree, and the elements of a tuple, pair or array, in order.

#include <tessera/trace/tree_struct.hpp>

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera {

template <class T>
concept NamedTree = std::is_aggregate_v<T> && requires {
  T::names.size();
};

namespace detail {

template <class T>
inline constexpr bool is_std_tree = false;
template <class... T>
inline constexpr bool is_std_tree<std::tuple<T...>> = true;
template <class T, std::size_t N>
inline constexpr bool is_std_tree<std::array<T, N>> = true;
template <class A, class B>
inline constexpr bool is_std_tree<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class T>
  requires is_std_tree<T>
inline constexpr bool is_pair<T> = std::tuple_size_v<T> == 2;

// Calls f(part...) with the fields of a named tree, or the elements of a tuple, pair or array. std::apply and
// std::tuple take several times as long to compile, and their calls would add lines to an error's text.
template <NamedTree T, class F>
  requires(T::has_with_fields)  // TESSERA_TREE
constexpr decltype(auto) with_parts(T const& t, F const& call) { return t.with_fields(call); }
template <NamedTree T, class F>
constexpr decltype(auto) with_parts(T const& t, F const& call) {
  constexpr std::size_t n = T::names.size();
  static_assert(n >= 1 && n <= 12,
                "tessera: a named tree written by hand has 1 to 12 fields. Fix: nest trees, or "
                "declare it by TESSERA_TREE(name, fields...).");
  if constexpr (n == 1) {
    auto const& [a] = t;
    return call(a);
  } else if constexpr (n == 2) {
    auto const& [a, b] = t;
    return call(a, b);
  } else if constexpr (n == 3) {
    auto const& [a, b, c] = t;
    return call(a, b, c);
  } else if constexpr (n == 4) {
    auto const& [a, b, c, d] = t;
    return call(a, b, c, d);
  } else if constexpr (n == 5) {
    auto const& [a, b, c, d, e] = t;
    return call(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto const& [a, b, c, d, e, f] = t;
    return call(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto const& [a, b, c, d, e, f, g] = t;
    return call(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto const& [a, b, c, d, e, f, g, h] = t;
    return call(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto const& [a, b, c, d, e, f, g, h, i] = t;
    return call(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto const& [a, b, c, d, e, f, g, h, i, j] = t;
    return call(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto const& [a, b, c, d, e, f, g, h, i, j, k] = t;
    return call(a, b, c, d, e, f, g, h, i, j, k);
  } else {
    auto const& [a, b, c, d, e, f, g, h, i, j, k, l] = t;
    return call(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}
template <std::size_t... I, class T, class F>
constexpr decltype(auto) with_elements(std::index_sequence<I...>, T const& t, F const& call) {
  return call(std::get<I>(t)...);
}
template <class T, class F>
  requires is_std_tree<T>
constexpr decltype(auto) with_parts(T const& t, F const& call) {
  return with_elements(std::make_index_sequence<std::tuple_size_v<T>>{}, t, call);
}

// References to the parts of a tree: part<I>(parts_of(t)).
template <std::size_t I, class T>
struct part_ref {
  T const& here;
};
template <class Positions, class... T>
struct part_refs;
template <std::size_t... I, class... T>
struct part_refs<std::index_sequence<I...>, T...> : part_ref<I, T>... {
  using positions = std::index_sequence<I...>;
};
template <std::size_t I, class T>
constexpr T const& part(part_ref<I, T> const& p) {
  return p.here;
}
struct refer_to_parts {
  template <class... T>
  constexpr auto operator()(T const&... t) const {
    return part_refs<std::index_sequence_for<T...>, T...>{{t}...};
  }
};
template <class T>
constexpr auto parts_of(T const& t) {
  return with_parts(t, refer_to_parts{});
}
template <std::size_t I, class T>
using part_type = std::remove_cvref_t<decltype(part<I>(parts_of(std::declval<T const&>())))>;
template <class T>
using positions_in = typename decltype(parts_of(std::declval<T const&>()))::positions;

// The number of results in a function's result.
template <class T>
inline constexpr int parts_in = 1;
template <class T>
  requires is_std_tree<T>
inline constexpr int parts_in<T> = static_cast<int>(std::tuple_size_v<T>);

}  // namespace detail
}  // namespace tessera
