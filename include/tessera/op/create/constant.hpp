// SPDX-License-Identifier: Apache-2.0
#pragma once
// constant: a few numbers that stand in the program, up to 256 of them, in one to four dimensions. For coefficients,
// stencils and small matrices in traced code; larger data are arguments. Without storage or mesh, as zeros is. In a
// program it is a concatenation of literals. Moves 0 bytes.
//   constant({1.f, 2.f, 3.f})   constant({{0.f, 1.f, 0.f}, {1.f, -4.f, 1.f}, {0.f, 1.f, 0.f}})   constant(2.f)
//   constant(table)   a number, or a std::array of numbers or of std::arrays, which a constexpr function may return
// The element type is that of the list. Source: jnp.array of a list in a function under jit.

#include <tessera/op/create/fill.hpp>
#include <tessera/op/shape/concatenate.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tessera {
namespace detail {

inline constexpr std::size_t most_joined = builder::max_operands;

// Elements First, First + 1 ... of a list as values, joined.
template <std::size_t First, class List, std::size_t... I>
constexpr auto stacked(List const& list, std::index_sequence<I...>);

template <std::size_t First, std::size_t Count, class List>
constexpr auto stacked(List const& list) {
  if constexpr (Count <= most_joined) {
    return stacked<First>(list, std::make_index_sequence<Count>{});
  } else {
    constexpr std::size_t half = (Count / most_joined + 1) / 2 * most_joined;
    return functions::concatenate<0>(stacked<First, half>(list), stacked<First + half, Count - half>(list));
  }
}

template <class T>
constexpr auto one_of_list(T const& number) {
  return functions::full<T>(number);
}
template <class T, std::size_t N>
constexpr auto one_of_list(T const (&list)[N]) {
  return stacked<0, N>(list);
}

template <class T, std::size_t N>
constexpr auto one_of_list(std::array<T, N> const& list) {
  return stacked<0, N>(list);
}

template <std::size_t First, class List, std::size_t... I>
constexpr auto stacked(List const& list, std::index_sequence<I...>) {
  return functions::stack<0>(std::tuple{one_of_list(list[First + I])...});
}

// The numbers in a std::array, or one.
template <class T>
struct numbers_in {
  using element = T;
  static constexpr std::size_t count = 1;
};
template <class T, std::size_t N>
struct numbers_in<std::array<T, N>> {
  using element = typename numbers_in<T>::element;
  static constexpr std::size_t count = N * numbers_in<T>::count;
};

template <class Element, std::size_t Count, class List>
constexpr auto listed(List const& list) {
  constexpr bool listable = ElementNumber<Element> && Count <= 256;
  static_assert(listable,
                "tessera: constant takes a list of up to 256 numbers. Fix: constant({1.f, 2.f}); pass more "
                "numbers as an argument, asarray({...}).");
  if constexpr (listable)
    return one_of_list(list);
  else
    return poisoned<explained<>>{};
}

}  // namespace detail

namespace functions {

template <class T, std::size_t N>
constexpr auto constant(T const (&list)[N]) {
  return detail::listed<T, N>(list);
}
template <class T, std::size_t N, std::size_t K>
constexpr auto constant(T const (&list)[N][K]) {
  return detail::listed<T, N * K>(list);
}
template <class T, std::size_t N, std::size_t K, std::size_t L>
constexpr auto constant(T const (&list)[N][K][L]) {
  return detail::listed<T, N * K * L>(list);
}
template <class T, std::size_t N, std::size_t K, std::size_t L, std::size_t M>
constexpr auto constant(T const (&list)[N][K][L][M]) {
  return detail::listed<T, N * K * L * M>(list);
}

template <class T>
  requires ElementNumber<typename detail::numbers_in<T>::element>
constexpr auto constant(T const& table) {
  return detail::listed<typename detail::numbers_in<T>::element, detail::numbers_in<T>::count>(table);
}

}  // namespace functions
}  // namespace tessera
