// SPDX-License-Identifier: Apache-2.0
#pragma once
// x = y of trees of two types. A tree of traced values takes y's nodes, leaf by leaf; one of arrays keeps its type, and
// the first leaf of another type is one sentence, with its path.

#include <tessera/error/component.hpp>
#include <tessera/trace/assign.hpp>
#include <tessera/trace/tree_functions.hpp>

namespace tessera::detail {

template <class X, class Y>
constexpr bool is_refused_assignment();
template <class X, class Y>
struct parts_refused;
template <class... X, class... Y, std::size_t... I>
struct parts_refused<part_refs<std::index_sequence<I...>, X...>, part_refs<std::index_sequence<I...>, Y...>> {
  static constexpr bool any = (false || ... || is_refused_assignment<X, Y>());
  // The position of the first.
  static constexpr std::size_t first = [] {
    std::size_t position = 0;
    (void)(false || ... || (is_refused_assignment<X, Y>() || (++position, false)));
    return position;
  }();
};
template <class X, class Y>
using refused_parts =
    parts_refused<decltype(parts_of(std::declval<X const&>())), decltype(parts_of(std::declval<Y const&>()))>;
// Whether the types alone forbid x = y. In traced code a node says whether it fits.
template <class X, class Y>
constexpr bool is_refused_assignment() {
  if constexpr (std::is_same_v<X, Y> || has_refused<X> || has_refused<Y>)
    return false;
  else if constexpr (Operand<X> || Operand<Y>)
    return !is_traced<X> && !is_traced<Y> && !(std::is_arithmetic_v<X> && std::is_arithmetic_v<Y>);
  else if constexpr (!Tree<X>)
    return false;
  else if constexpr (branches_alike<X, Y>)
    return refused_parts<X, Y>::any;
  else
    return true;
}

template <class Path>
constexpr auto path_text() {
  char text[Path::text.size() + 1]{};
  for (std::size_t n = 0; n < Path::text.size(); ++n) text[n] = Path::text[n];
  return fixed_string(text);
}
template <class Path, class E>
struct error_at_path;
template <class Path, template <class...> class E, class Op, class... Facts>
struct error_at_path<Path, E<Op, Facts...>> {
  using type = E<Op, error::component<path_text<Path>(), Facts...>>;
};
// What says why x = y is refused: a type with explain().
template <class X, class Y, class... Steps>
constexpr auto refusal_of_leaf() {
  if constexpr (!Tree<X>) {
    if constexpr (is_stored_array<X> && is_stored_array<Y>)
      return typename error_at_path<tree_path<Steps...>, assignment_error<typename X::type, typename Y::type>>::type{};
    else
      return written::constant_as_variable<X, Y>{};
  } else if constexpr (branches_alike<X, Y>) {
    constexpr std::size_t first = refused_parts<X, Y>::first;
    return refusal_of_leaf<part_type<first, X>, part_type<first, Y>, Steps..., step_of<X, first>>();
  } else {
    return written::trees_apart<X, Y>{};
  }
}

template <class X, class Y>
constexpr auto assignment_refusal() {
  if constexpr (is_refused_assignment<X, Y>())
    return refusal_of_leaf<X, Y>();
  else
    return explained<>{};
}

template <class X, class Y>
constexpr void assign_part(X& x, Y const& y) {
  if constexpr (Tree<X> && !NamedTree<X>)
    assign_tree(x, y);
  else
    x = y;
}
template <class X, class Y>
constexpr void assign_tree(X& x, Y const& y) {
  if constexpr (!has_refused<X> && !has_refused<Y> && !is_refused_assignment<X, Y>()) {
    auto const to = parts_of(x);
    auto const from = parts_of(y);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (assign_part(const_cast<part_type<I, X>&>(part<I>(to)), part<I>(from)), ...);
    }
    (positions_in<X>{});
  }
}

}  // namespace tessera::detail
