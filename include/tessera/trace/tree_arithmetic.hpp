// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arithmetic of named trees, leaf by leaf, as of vectors: p - 0.1f * g, of two trees of one structure, or of a tree and a number or
// a value without dimensions. Trees with keys have none. JAX has no such operators: tree_map(f, p, g) there, and here, too.

#include <tessera/trace/tree_functions.hpp>

namespace tessera {
namespace detail {

// Specialized by keys, whose words are no numbers.
template <class T>
inline constexpr bool is_number_leaf = true;
template <class T>
inline constexpr bool has_arithmetic = is_number_leaf<T>;
template <class T, class Positions>
inline constexpr bool parts_have_arithmetic = false;
template <class T, std::size_t... I>
inline constexpr bool parts_have_arithmetic<T, std::index_sequence<I...>> = (has_arithmetic<part_type<I, T>> && ...);
template <Tree T>
  requires is_number_leaf<T>
inline constexpr bool has_arithmetic<T> = parts_have_arithmetic<T, positions_in<T>>;

template <class T>
concept VectorTree = NamedTree<T> && !Refused<T> && has_arithmetic<T>;
template <class X>
concept ScalarOfTree = std::is_arithmetic_v<X> ||(Operand<X>&& requires { requires X::type::rank == 0; });

}  // namespace detail

#define TESSERA_TREE_OPERATOR(OP)                                               \
  template <detail::VectorTree A, detail::VectorTree B>                         \
  constexpr auto operator OP(A const& a, B const& b) {                          \
    return tree_map([](auto const& x, auto const& y) { return x OP y; }, a, b); \
  }                                                                             \
  template <detail::VectorTree A, detail::ScalarOfTree B>                       \
  constexpr auto operator OP(A const& a, B const& b) {                          \
    return tree_map([&](auto const& x) { return x OP b; }, a);                  \
  }                                                                             \
  template <detail::ScalarOfTree A, detail::VectorTree B>                       \
  constexpr auto operator OP(A const& a, B const& b) {                          \
    return tree_map([&](auto const& y) { return a OP y; }, b);                  \
  }                                                                             \
  template <detail::VectorTree A, class B>                                      \
    requires(detail::VectorTree<B> || detail::ScalarOfTree<B>)                  \
  constexpr A& operator OP##=(A& a, B const& b) { return a = a OP b; }
TESSERA_TREE_OPERATOR(+)
TESSERA_TREE_OPERATOR(-)
TESSERA_TREE_OPERATOR(*)
TESSERA_TREE_OPERATOR(/)
#undef TESSERA_TREE_OPERATOR

template <detail::VectorTree A>
constexpr auto operator-(A const& a) {
  return tree_map([](auto const& x) { return -x; }, a);
}

}  // namespace tessera
