// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tree with the structure of another and different leaves: its template, with the types of its new fields.

#include <tessera/trace/tree_parts.hpp>

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera {
namespace detail {

// A user's template for fields of these types: instantiated with them one by one, or deduced if fields share a
// parameter.
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

// T<A, B, ...> with other leaves: a named tree is rebuilt from its template, a pair becomes a tuple.
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
// Leaves of one type stay a std::array, others become a tuple.
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

// A named tree that cannot have other leaves.
template <class T>
concept RigidTree = NamedTree<T> && !requires {
  sizeof(rebuild<T>);
};
template <class T>
struct rigid_tree {
  static consteval void explain() {
    static_assert(!RigidTree<T>,
                  "tessera: a struct with `names` stands here that is no template of its fields' types. Fix: "
                  "TESSERA_TREE(layer, w, b); or template <class W, class B> struct layer { W w; B b; static constexpr "
                  "ts::names<2> names{...}; };");
  }
};
template <class Error>
inline constexpr bool is_rigid_tree = false;
template <class T>
inline constexpr bool is_rigid_tree<rigid_tree<T>> = true;

}  // namespace detail
}  // namespace tessera
