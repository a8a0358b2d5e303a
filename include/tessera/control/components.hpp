// SPDX-License-Identifier: Apache-2.0
#pragma once
// The values of two trees of one structure that differ in type, each with its path, as the facts of an error.

#include <tessera/error/component.hpp>
#include <tessera/error/spell.hpp>
#include <tessera/trace/tree_functions.hpp>
#include <tessera/trace/tree_parts.hpp>

namespace tessera::detail {

namespace mp = boost::mp11;

// A path as a type: nvcc 13 does not find texts in partial specializations.
template <fixed_string Text>
struct path {
  static constexpr auto text = Text;
};
// Two values at one position of two trees.
template <class Path, class X, class Y>
struct leaf_pair {};

// params.w, from params and w.
template <fixed_string Path, class T, std::size_t I>
constexpr auto longer_path() {
  constexpr std::string_view step = step_of<T, I>::name;
  char joined[sizeof(Path.chars) + 1 + step.size()]{};
  std::size_t n = 0;
  for (char c : Path.view()) joined[n++] = c;
  joined[n++] = '.';
  for (char c : step) joined[n++] = c;
  return fixed_string(joined);
}

template <fixed_string Path, class X, class Y>
constexpr auto leaf_pairs() {
  if constexpr (Tree<X>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return mp::mp_append<mp::mp_list<>,
                           decltype(leaf_pairs<longer_path<Path, X, I>(), part_type<I, X>, part_type<I, Y>>())...>{};
    }
    (positions_in<X>{});
  } else {
    return mp::mp_list<leaf_pair<path<Path>, X, Y>>{};
  }
}

// The difference between A, the initial type, and B, the returned one, if they are of one kind. Come: the axes over
// which some values begin to vary; a value that ceases to vary over one does not if those begin so. Of a loop, Carried, what
// begins whole and comes back split begins split.
template <ArrayType A, ArrayType B, std::uint32_t Come, bool Carried>
constexpr auto settled() {
  using M = typename A::mesh;
  constexpr axis_set more = B::value.varying - A::value.varying;
  constexpr axis_set fewer = A::value.varying - B::value.varying - axis_set{Come};
  if constexpr (!A::value.same_shape(B::value))
    return error::facts<>{};
  else if constexpr (A::value.element != B::value.element)
    return error::facts<error::astype_result<typename A::element>>{};
  else if constexpr (Carried && !A::value.same_spec(B::value) && A::value.sharded_axes().empty())
    return error::facts<error::reshard_init<typename error::detail::trimmed_spec<typename B::spec>::type>>{};
  else if constexpr (!A::value.same_spec(B::value))
    return error::facts<error::reshard_result<typename error::detail::trimmed_spec<typename A::spec>::type>>{};
  else if constexpr (!more.empty())
    return error::facts<mp::mp_rename<error::spelled_axes<M, more.bits>, error::pvary_init>>{};
  else if constexpr (!fewer.empty())
    return error::facts<mp::mp_rename<error::spelled_axes<M, fewer.bits>, error::pvary_result>>{};
  else
    return error::facts<>{};
}
template <class Path, class A, class B, class Fix>
struct as_component;
template <class Path, class A, class B, class... Fix>
struct as_component<Path, A, B, error::facts<Fix...>> {
  using type =
      error::component<Path::text, error::spelled<error::began, A>, error::spelled<error::returned, B>, Fix...>;
};

// Pairs of array types that differ, at most five of them.
template <class Pair>
struct differs_in_type;
template <class Path, class A, class B>
struct differs_in_type<leaf_pair<Path, A, B>> : std::bool_constant<!(A::value == B::value)> {};

template <class Pairs, bool Carried>
struct component_facts;
template <class... Path, class... A, class... B, bool Carried>
struct component_facts<mp::mp_list<leaf_pair<Path, A, B>...>, Carried> {
  static constexpr std::uint32_t come = (0u | ... | (B::value.varying - A::value.varying).bits);
  using type = error::facts<typename as_component<Path, A, B, decltype(settled<A, B, come, Carried>())>::type...>;
};
template <class Pairs, bool Carried>
constexpr auto components_of() {
  using different = mp::mp_copy_if<Pairs, differs_in_type>;
  constexpr std::size_t count = mp::mp_size<different>::value, limit = 5;
  if constexpr (count <= limit)
    return typename component_facts<different, Carried>::type{};
  else
    return typename component_facts<mp::mp_take_c<different, limit>, Carried>::type{} +
           error::facts<error::and_more<static_cast<int>(count - limit)>>{};
}

}  // namespace tessera::detail
