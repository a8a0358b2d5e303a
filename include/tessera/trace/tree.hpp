// SPDX-License-Identifier: Apache-2.0
#pragma once
// Several arrays as one value: std::tuple, std::pair, std::array, and named trees, nested. jit, grad and the other
// transformations accept them. A named tree is declared by TESSERA_TREE(layer, w, b), or is a user's aggregate template
// with the fields' names and one type parameter per field, in order:
//   template <class W, class B> struct layer { W w; B b; static constexpr ts::names<2> names{"w", "b"}; };
// Fields that always have one type may share a parameter: template <class G> struct norm { G gain, offset; ... };
// Source: JAX pytrees.

#include <tessera/base/functions.hpp>
#include <tessera/base/functions_otherwise.hpp>
#include <tessera/base/inplace_list.hpp>
#include <tessera/trace/rebuild.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace tessera {

template <class T>
concept Tree = detail::is_std_tree<T> || NamedTree<T>;

// Stands in a tree where it has no leaf, as JAX's None: functions of trees leave it where it is.
struct no_leaf {};
template <class T>
inline constexpr bool is_no_leaf = std::is_same_v<T, no_leaf>;

namespace functions {

template <class F, class T>
constexpr auto tree_map(F const& f, T const& t);
template <class F, class A, class B, class... More>
constexpr auto tree_map(F const& f, A const& a, B const& b, More const&... more);

}  // namespace functions

namespace detail {
template <class T, class F>
struct map_parts {
  F const& f;
  template <class... Part>
  constexpr auto operator()(Part const&... part) const {
    // Braces fix the order of evaluation: leaves are visited left to right.
    return typename rebuild<T>::template with<decltype(tree_map(f, part))...>{tree_map(f, part)...};
  }
};
template <std::size_t I, class F, class... Parts>
constexpr auto map_part(F const& f, Parts const&... parts) {
  return tree_map(f, part<I>(parts)...);
}
// Whether B is a tree of as many parts as tree A, of the same names if both have names.
template <class A, class B>
inline constexpr bool branches_alike = false;
template <class A, Tree B>
inline constexpr bool branches_alike<A, B> = std::is_same_v<positions_in<A>, positions_in<B>>;
template <NamedTree A, NamedTree B>
inline constexpr bool branches_alike<A, B> = [] {
  if constexpr (A::names.size() == B::names.size())
    return A::names == B::names;
  else
    return false;
}();
template <class T, std::size_t... I, class F, class... Parts>
constexpr auto map_together(std::index_sequence<I...>, F const& f, Parts const&... parts) {
  return typename rebuild<T>::template with<decltype(map_part<I>(f, parts...))...>{map_part<I>(f, parts...)...};
}
}  // namespace detail

namespace functions {

// Calls f on every leaf, in order, and returns the same structure with the results as leaves (trace/rebuild.hpp).
template <class F, class T>
constexpr auto tree_map(F const& f, T const& t) {
  if constexpr (Tree<T>)
    return detail::with_parts(t, detail::map_parts<T, F>{f});
  else if constexpr (is_no_leaf<T>)
    return t;
  else
    return f(t);
}

// Calls f(leaf) for every leaf, in order.
template <class F, class T>
constexpr void tree_each(F const& f, T const& t) {
  if constexpr (Tree<T>)
    detail::with_parts(t, [&](auto const&... part) { (tree_each(f, part), ...); });
  else if constexpr (!is_no_leaf<T>)
    f(t);
}

// Calls f(leaf of a, leaf of b, ...) for trees of one structure; returns the same structure with the results as leaves.
template <class F, class A, class B, class... More>
constexpr auto tree_map(F const& f, A const& a, B const& b, More const&... more) {
  if constexpr (!Tree<A> && !is_no_leaf<A>)
    return f(a, b, more...);
  else if constexpr (is_no_leaf<A>)
    return a;
  else if constexpr (detail::branches_alike<A, B> && (detail::branches_alike<A, More> && ...))
    return detail::map_together<A>(detail::positions_in<A>{}, f, detail::parts_of(a), detail::parts_of(b),
                                   detail::parts_of(more)...);
  else if constexpr (Refused<B> || (Refused<More> || ...))
    return detail::first_refused(b, more...);
  else
    return written::trees_apart<A, B, More...>::explain(), a;
}

template <class T>
constexpr std::size_t tree_size(T const& t) {
  std::size_t n = 0;
  tree_each([&](auto const&) { ++n; }, t);
  return n;
}

// Calls f(path, leaf) for every leaf, with paths like "params.w1" and "params.layers.0.w".
template <class F, class T>
void tree_each_with_path(F const& f, T const& t, std::string const& path = {}) {
  auto const join = [&](std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  };
  if constexpr (NamedTree<T>) {
    std::size_t i = 0;
    detail::with_parts(t, [&](auto const&... field) { (tree_each_with_path(f, field, join(T::names[i++])), ...); });
  } else if constexpr (detail::is_std_tree<T>) {
    std::size_t i = 0;
    detail::with_parts(t, [&](auto const&... part) { (tree_each_with_path(f, part, join(std::to_string(i++))), ...); });
  } else if constexpr (!is_no_leaf<T>) {
    f(path, t);
  }
}

}  // namespace functions

}  // namespace tessera
