// SPDX-License-Identifier: Apache-2.0
#pragma once
// Several arrays as one value: std::tuple, std::array, and named trees, nested. jit, grad and friends take them all.
// A named tree is a user's aggregate template with the fields' names and one type parameter per field, in order:
//   template <class W, class B> struct layer { W w; B b; static constexpr ts::names<2> names{"w", "b"}; };
// Fields that always have one type may share a parameter: template <class G> struct norm { G gain, offset; ... };
// Source: JAX pytrees.

#include <tessera/base/inplace_list.hpp>

#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera {

template <std::size_t N>
using names = std::array<std::string_view, N>;

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

// The fields of a named tree as a tuple of references.
template <NamedTree T>
constexpr auto fields(T const& t) {
  constexpr std::size_t n = T::names.size();
  static_assert(n >= 1 && n <= 12, "tessera: a named tree has 1 to 12 fields. Fix: nest trees.");
  if constexpr (n == 1) {
    auto const& [a] = t;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto const& [a, b] = t;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto const& [a, b, c] = t;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto const& [a, b, c, d] = t;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto const& [a, b, c, d, e] = t;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto const& [a, b, c, d, e, f] = t;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto const& [a, b, c, d, e, f, g] = t;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto const& [a, b, c, d, e, f, g, h] = t;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto const& [a, b, c, d, e, f, g, h, i] = t;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto const& [a, b, c, d, e, f, g, h, i, j] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto const& [a, b, c, d, e, f, g, h, i, j, k] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else {
    auto const& [a, b, c, d, e, f, g, h, i, j, k, l] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

// Of how many results a function's result consists.
template <class T>
inline constexpr int parts_in = 1;
template <class T>
  requires is_std_tree<T>
inline constexpr int parts_in<T> = static_cast<int>(std::tuple_size_v<T>);

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

}  // namespace detail

template <class T>
concept Tree = detail::is_std_tree<T> || NamedTree<T>;

// f on every leaf, in order; the same structure with the results in the leaves' place.
template <class F, class T>
constexpr auto tree_map(F const& f, T const& t) {
  // The braces fix the order of evaluation: leaves are visited left to right.
  if constexpr (NamedTree<T>) {
    return std::apply(
        [&](auto const&... field) {
          return typename detail::rebuild<T>::template with<decltype(tree_map(f, field))...>{tree_map(f, field)...};
        },
        detail::fields(t));
  } else if constexpr (detail::is_std_tree<T>) {
    return std::apply(
        [&](auto const&... part) {
          return typename detail::rebuild<T>::template with<decltype(tree_map(f, part))...>{tree_map(f, part)...};
        },
        t);
  } else {
    return f(t);
  }
}

// f(leaf) for every leaf, in order.
template <class F, class T>
constexpr void tree_each(F const& f, T const& t) {
  if constexpr (NamedTree<T>)
    std::apply([&](auto const&... field) { (tree_each(f, field), ...); }, detail::fields(t));
  else if constexpr (detail::is_std_tree<T>)
    std::apply([&](auto const&... part) { (tree_each(f, part), ...); }, t);
  else
    f(t);
}

namespace detail {
template <class T>
constexpr decltype(auto) parts_of(T const& t) {
  if constexpr (NamedTree<T>)
    return fields(t);
  else
    return (t);
}
}  // namespace detail

// f(leaf of a, leaf of b, ...) for trees of one structure; the same structure with the results.
template <class F, class A, class B, class... More>
constexpr auto tree_map(F const& f, A const& a, B const& b, More const&... more) {
  if constexpr (Tree<A>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const at = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        return tree_map(f, std::get<K>(detail::parts_of(a)), std::get<K>(detail::parts_of(b)),
                        std::get<K>(detail::parts_of(more))...);
      };
      return typename detail::rebuild<A>::template with<decltype(at(std::integral_constant<std::size_t, I>{}))...>{
          at(std::integral_constant<std::size_t, I>{})...};
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(detail::parts_of(a))>>>{});
  } else {
    return f(a, b, more...);
  }
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
    std::apply([&](auto const&... field) { (tree_each_with_path(f, field, join(T::names[i++])), ...); },
               detail::fields(t));
  } else if constexpr (detail::is_std_tree<T>) {
    std::size_t i = 0;
    std::apply([&](auto const&... part) { (tree_each_with_path(f, part, join(std::to_string(i++))), ...); }, t);
  } else {
    f(path, t);
  }
}

}  // namespace tessera
