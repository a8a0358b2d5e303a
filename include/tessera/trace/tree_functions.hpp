// SPDX-License-Identifier: Apache-2.0
#pragma once
// More functions of trees, beside tree_map and tree_each (tree.hpp).
//   tree_leaves(t)               -> std::tuple of the leaves, in order
//   tree_unflatten(like, leaves) -> the tree like `like` with these leaves, a std::tuple
//   tree_reduce(f, t)            -> f(f(leaf0, leaf1), leaf2) ...;  tree_reduce(f, t, init) begins with init
//   tree_map_with_path(f, t, more...) -> the tree of f(path, leaf, the leaves of more trees of this structure...);
//                                   path.text is "layers.0.w", path.number its hash, constants
//   tree_partition(f, t)         -> std::tuple{those leaves for which f(path, leaf) holds, the others}; no_leaf{} elsewhere
//   tree_combine(a, b)           -> the tree of both: the leaf of a where it has one, else that of b
// f of tree_partition answers by types: a constexpr function of path.text, or std::bool_constant. A frozen parameter is one
// of the other half: grad([](auto train, auto frozen) { return loss(tree_combine(train, frozen)); }).
// Source: JAX jax.tree.leaves, unflatten, reduce, map_with_path; partition and combine of Equinox.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/base/text.hpp>
#include <tessera/trace/tree.hpp>

namespace tessera {

namespace detail {

template <class T, std::size_t I>
struct step_of {
  static constexpr auto number = [] {
    fixed_text<4> text;
    append_number(text, static_cast<std::int64_t>(I));
    return text;
  }();
  static constexpr std::string_view name = [] {
    if constexpr (NamedTree<T>)
      return std::string_view(T::names[I]);
    else
      return number.view();
  }();
};

}  // namespace detail

// The way from the root of a tree to a leaf.
template <class... Steps>
struct tree_path {
  static constexpr std::size_t length = (std::size_t{0} + ... + (Steps::name.size() + 1));
  static constexpr auto joined = [] {
    std::array<char, length + 1> chars{};
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] auto const add = [&](std::string_view step) {
      if (n > 0) chars[n++] = '.';
      for (char c : step) chars[n++] = c;
    };
    (add(Steps::name), ...);
    return chars;
  }();
  static constexpr std::string_view text{joined.data(), length > 0 ? length - 1 : 0};
  // FNV-1a of the text: for random::fold_in, so that each leaf has a key of its own.
  static constexpr std::uint32_t number = [] {
    std::uint32_t sum = 2166136261u;
    for (char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
    return sum;
  }();
};

namespace detail {

template <class... Steps, class F, class T, class... More>
constexpr auto map_with_path(F const& f, T const& t, More const&... more);
template <std::size_t I, class... Steps, class F, class... Parts>
constexpr auto map_part_with_path(F const& f, Parts const&... parts) {
  return map_with_path<Steps...>(f, part<I>(parts)...);
}
template <class T, class... Steps, std::size_t... I, class F, class... Parts>
constexpr auto map_parts_with_path(std::index_sequence<I...>, F const& f, Parts const&... parts) {
  return typename rebuild<T>::template with<decltype(map_part_with_path<I, Steps..., step_of<T, I>>(f, parts...))...>{
      map_part_with_path<I, Steps..., step_of<T, I>>(f, parts...)...};
}
template <class... Steps, class F, class T, class... More>
constexpr auto map_with_path(F const& f, T const& t, More const&... more) {
  if constexpr (!Tree<T> && !is_no_leaf<T>)
    return f(tree_path<Steps...>{}, t, more...);
  else if constexpr (is_no_leaf<T>)
    return t;
  else if constexpr ((branches_alike<T, More> && ...))
    return map_parts_with_path<T, Steps...>(positions_in<T>{}, f, parts_of(t), parts_of(more)...);
  else if constexpr ((Refused<More> || ...))
    return first_refused(more...);
  else
    return written::trees_apart<T, More...>::explain(), t;
}
template <class F, class A, class... More>
constexpr auto reduce_leaves(F const& f, A const& so_far, More const&... more) {
  if constexpr (sizeof...(More) == 0)
    return so_far;
  else
    return [&](auto const& next, auto const&... rest) { return reduce_leaves(f, f(so_far, next), rest...); }(more...);
}
// Whether f(path, leaf) holds, by its type or by a call with an absent leaf.
template <class F, class Path, class X>
constexpr bool chooses_leaf() {
  if constexpr (requires { decltype(std::declval<F const&>()(Path{}, std::declval<X const&>()))::value; })
    return decltype(std::declval<F const&>()(Path{}, std::declval<X const&>()))::value;
  else
    return F{}(Path{}, std::type_identity<X>{});
}
template <class F, class... Leaf>
inline constexpr bool asks_of_path_and_leaf = true;
template <class F, class Leaf, class... Rest>
inline constexpr bool asks_of_path_and_leaf<F, std::tuple<Leaf, Rest...>> = requires(F const& f, Leaf const& leaf) {
  f(tree_path<>{}, leaf);
};
template <class F, bool Wanted>
struct keep_leaf {
  template <class Path, class X>
  constexpr auto operator()(Path, X const& x) const {
    if constexpr (chooses_leaf<F, Path, X>() == Wanted)
      return x;
    else
      return no_leaf{};
  }
};
template <class T, std::size_t... I, class A, class B>
constexpr auto combined_parts(std::index_sequence<I...>, A const& a, B const& b);
template <class A, class B>
constexpr auto combined(A const& a, B const& b) {
  if constexpr (is_no_leaf<A>)
    return b;
  else if constexpr (!Tree<A> || !Tree<B>)
    return a;
  else if constexpr (branches_alike<A, B>)
    return combined_parts<A>(positions_in<A>{}, parts_of(a), parts_of(b));
  else if constexpr (Refused<B>)
    return b;
  else
    return written::trees_apart<A, B>::explain(), a;
}
template <class T, std::size_t... I, class A, class B>
constexpr auto combined_parts(std::index_sequence<I...>, A const& a, B const& b) {
  return typename rebuild<T>::template with<decltype(combined(part<I>(a), part<I>(b)))...>{
      combined(part<I>(a), part<I>(b))...};
}
template <std::size_t First, class T, class Leaves>
constexpr auto unflatten(T const& like, Leaves const& leaves);

}  // namespace detail

namespace functions {

template <class T>
constexpr auto tree_leaves(T const& t) {
  if constexpr (Tree<T>)
    return detail::with_parts(t, [](auto const&... part) { return std::tuple_cat(tree_leaves(part)...); });
  else if constexpr (is_no_leaf<T>)
    return std::tuple{};
  else
    return std::tuple<T>{t};
}
template <class T, class Leaves>
constexpr auto tree_unflatten(T const& like, Leaves const& leaves) {
  static_assert(std::tuple_size_v<decltype(tree_leaves(like))> == std::tuple_size_v<Leaves>,
                "tessera: tree_unflatten needs one leaf for each leaf of the tree.");
  return detail::unflatten<0>(like, leaves);
}
template <class F, class T>
constexpr auto tree_reduce(F const& f, T const& t) {
  return std::apply([&](auto const&... leaf) { return detail::reduce_leaves(f, leaf...); }, tree_leaves(t));
}
template <class F, class T, class A>
constexpr auto tree_reduce(F const& f, T const& t, A const& init) {
  return std::apply([&](auto const&... leaf) { return detail::reduce_leaves(f, init, leaf...); }, tree_leaves(t));
}
template <class F, class T, class... More>
constexpr auto tree_map_with_path(F const& f, T const& t, More const&... more) {
  return detail::map_with_path<>(f, t, more...);
}
template <class F, class T>
constexpr auto tree_partition(F const&, T const& t) {
  static_assert(std::is_empty_v<F>,
                "tessera: what tree_partition chooses is a part of the type. Fix: a lambda without captures.");
  if constexpr (detail::asks_of_path_and_leaf<F, decltype(tree_leaves(t))>)
    return std::make_tuple(tree_map_with_path(detail::keep_leaf<F, true>{}, t),
                           tree_map_with_path(detail::keep_leaf<F, false>{}, t));
  else
    return written::choice_otherwise<F>::explain(), std::tuple{t, t};
}
template <class A, class B>
constexpr auto tree_combine(A const& a, B const& b) {
  return detail::combined(a, b);
}

}  // namespace functions

namespace detail {

template <class T>
inline constexpr std::size_t leaves_in = std::tuple_size_v<decltype(functions::tree_leaves(std::declval<T const&>()))>;
// The number of leaves in front of part I.
template <class T, std::size_t I>
inline constexpr std::size_t leaves_before = [] {
  using parts = decltype(parts_of(std::declval<T const&>()));
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return (std::size_t{0} + ... + leaves_in<std::remove_cvref_t<decltype(part<K>(std::declval<parts const&>()))>>);
  }
  (std::make_index_sequence<I>{});
}();
template <std::size_t First, class T, class Leaves>
constexpr auto unflatten(T const& like, Leaves const& leaves) {
  if constexpr (Tree<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return typename rebuild<T>::template with<decltype(unflatten<First + leaves_before<T, I>>(part<I>(parts_of(like)),
                                                                                                leaves))...>{
          unflatten<First + leaves_before<T, I>>(part<I>(parts_of(like)), leaves)...};
    }
    (positions_in<T>{});
  } else if constexpr (is_no_leaf<T>) {
    return like;
  } else {
    return std::get<First>(leaves);
  }
}

}  // namespace detail

}  // namespace tessera
