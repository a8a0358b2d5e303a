// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the leaves of trees are, and the program that they belong to.

#include <tessera/trace/operand.hpp>
#include <tessera/trace/tree.hpp>

namespace tessera {

namespace detail {
template <class What, class X>
constexpr auto leaf_is(X const& x);
template <class What, class X>
constexpr auto any_leaf_is(X const& tree) {
  auto const any = [](auto const&... part) {
    return std::bool_constant<(decltype(leaf_is<What>(part))::value || ...)>{};
  };
  return with_parts(tree, any);
}
template <class What, class X>
constexpr auto leaf_is(X const& x) {
  if constexpr (Operand<X>)
    return std::bool_constant<What::template holds<X>>{};
  else if constexpr (Tree<X>)
    return any_leaf_is<What>(x);
  else
    return std::false_type{};
}
// Whether What::holds<Leaf> of an operand among the leaves of X.
template <class What, class X>
inline constexpr bool any_leaf = decltype(leaf_is<What>(std::declval<X const&>()))::value;

template <operand_kind Kind>
struct of_kind {
  template <class Leaf>
  static constexpr bool holds = operand_traits<Leaf>::kind == Kind;
};
// Whether the leaves of X include an operand of this kind.
template <operand_kind Kind, class X>
inline constexpr bool contains = any_leaf<of_kind<Kind>, X>;
}  // namespace detail

// Whether the leaves of X include a stored array.
template <class X>
constexpr bool contains_array() {
  return detail::contains<operand_kind::array, X>;
}

namespace detail {

// For tree_each: finds the program of the leaves.
struct find_builder {
  builder** found;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_traced<X>) *found = x.graph;
  }
};
// The program of values among these trees, or null.
template <class... X>
constexpr builder* builder_among(X const&... x) {
  builder* found = nullptr;
  (tree_each(find_builder{&found}, x), ...);
  return found;
}

template <class... X>
inline constexpr bool any_traced = (contains<operand_kind::traced, X> || ...);

}  // namespace detail
}  // namespace tessera
