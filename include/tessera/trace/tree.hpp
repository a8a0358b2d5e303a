// SPDX-License-Identifier: Apache-2.0
#pragma once
// Several arrays as one value: std::tuple, std::array, and named trees, nested. jit, grad and friends take them all.
// A named tree is a user's aggregate template with the fields' names and one type parameter per field, in order:
//   template <class W, class B> struct layer { W w; B b; static constexpr ts::names<2> names{"w", "b"}; };
// Fields that always have one type may share a parameter: template <class G> struct norm { G gain, offset; ... };
// Source: JAX pytrees.

#include <tessera/base/functions.hpp>
#include <tessera/base/inplace_list.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera {

namespace detail {

// A user's template for fields of these types: given them one by one, or deduced where fields share a parameter.
template <template <class...> class T, class... Field>
concept takes_each = requires {
  typename T<Field...>;
};
template <template <class...> class T, class... Field>
concept deduced_from = requires(Field const&... field) {
  T{field...};
};
template <template <class...> class T, class... Field>
constexpr auto template_for() {
  if constexpr (takes_each<T, Field...>) {
    return std::type_identity<T<Field...>>{};
  } else {
    constexpr bool shared = deduced_from<T, Field...>;
    static_assert(
        shared,
        "tessera: fields that share a template parameter have results of different types. Fix: give the struct "
        "with `names` one type parameter for each field, in order.");
    if constexpr (shared)
      return std::type_identity<decltype(T{std::declval<Field const&>()...})>{};
    else
      return std::type_identity<std::tuple<Field...>>{};
  }
}

// T<A, B, ...> with other leaves: a named tree is rebuilt from its template.
template <class T>
struct rebuild;
template <template <class...> class T, class... Old>
struct rebuild<T<Old...>> {
  template <class... New>
  using with = typename decltype(template_for<T, New...>())::type;
};
template <class... Old>
struct rebuild<std::tuple<Old...>> {
  template <class... New>
  using with = std::tuple<New...>;
};
template <class A, class B>
struct rebuild<std::pair<A, B>> {
  template <class... New>
  using with = std::tuple<New...>;
};
// Leaves of one type stay a std::array.
template <class... New>
struct array_or_tuple {
  using type = std::tuple<New...>;
};
template <class First, std::same_as<First>... Rest>
struct array_or_tuple<First, Rest...> {
  using type = std::array<First, 1 + sizeof...(Rest)>;
};
template <class T, std::size_t N>
struct rebuild<std::array<T, N>> {
  template <class... New>
  using with = typename array_or_tuple<New...>::type;
};

// A named tree that cannot hold other leaves.
template <class T>
concept RigidTree = NamedTree<T> && !requires {
  sizeof(rebuild<T>);
};
template <class T>
struct rigid_tree {
  static consteval void explain() {
    static_assert(!RigidTree<T>,
                  "tessera: a struct with `names` stands here that is no template of its fields' types. Fix: template "
                  "<class W, class B> struct layer { W w; B b; static constexpr ts::names<2> names{...}; };");
  }
};
template <class Error>
inline constexpr bool is_rigid_tree = false;
template <class T>
inline constexpr bool is_rigid_tree<rigid_tree<T>> = true;

}  // namespace detail

template <class T>
concept Tree = detail::is_std_tree<T> || NamedTree<T>;

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
    // The braces fix the order of evaluation: leaves are visited left to right.
    return typename rebuild<T>::template with<decltype(tree_map(f, part))...>{tree_map(f, part)...};
  }
};
template <std::size_t I, class F, class... Parts>
constexpr auto map_part(F const& f, Parts const&... parts) {
  return tree_map(f, part<I>(parts)...);
}
template <class T, std::size_t... I, class F, class... Parts>
constexpr auto map_together(std::index_sequence<I...>, F const& f, Parts const&... parts) {
  return typename rebuild<T>::template with<decltype(map_part<I>(f, parts...))...>{map_part<I>(f, parts...)...};
}
}  // namespace detail

namespace functions {

// f on every leaf, in order; the same structure with the results in the leaves' place.
template <class F, class T>
constexpr auto tree_map(F const& f, T const& t) {
  if constexpr (Tree<T>)
    return detail::with_parts(t, detail::map_parts<T, F>{f});
  else
    return f(t);
}

// f(leaf) for every leaf, in order.
template <class F, class T>
constexpr void tree_each(F const& f, T const& t) {
  if constexpr (Tree<T>)
    detail::with_parts(t, [&](auto const&... part) { (tree_each(f, part), ...); });
  else
    f(t);
}

// f(leaf of a, leaf of b, ...) for trees of one structure; the same structure with the results.
template <class F, class A, class B, class... More>
constexpr auto tree_map(F const& f, A const& a, B const& b, More const&... more) {
  if constexpr (Tree<A>)
    return detail::map_together<A>(detail::positions_in<A>{}, f, detail::parts_of(a), detail::parts_of(b),
                                   detail::parts_of(more)...);
  else
    return f(a, b, more...);
}

template <class T>
constexpr std::size_t tree_size(T const& t) {
  std::size_t n = 0;
  tree_each([&](auto const&) { ++n; }, t);
  return n;
}

// f(path, leaf) for every leaf: "params.w1", "params.layers.0.w".
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
  } else {
    f(path, t);
  }
}

}  // namespace functions

}  // namespace tessera
