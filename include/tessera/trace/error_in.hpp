// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error of the first refused value among the leaves of types, or void.

#include <tessera/graph/keys.hpp>
#include <tessera/trace/apply.hpp>
#include <tessera/trace/enter_numbers.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/rebuild.hpp>
#include <tessera/trace/tree_parts.hpp>
#include <tessera/trace/with_line.hpp>

namespace tessera {
namespace detail {

template <class T>
struct first_error {
  using type = void;
};
template <class E>
struct first_error<poisoned<E>> {
  using type = E;
};
template <>
struct first_error<refused_answer> {
  using type = explained<>;
};
template <class... T>
struct first_error_in {
  using type = void;
};
template <class T, class... Rest>
struct first_error_in<T, Rest...> {
  using here = typename first_error<T>::type;
  using type = typename std::conditional_t<std::is_void_v<here>, first_error_in<Rest...>, first_error<T>>::type;
};
template <class... T>
struct first_error<std::tuple<T...>> : first_error_in<T...> {};
template <class A, class B>
struct first_error<std::pair<A, B>> : first_error_in<A, B> {};
template <class T, std::size_t N>
struct first_error<std::array<T, N>> : first_error<T> {};
template <template <class...> class T, class... L>
  requires NamedTree<T<L...>>
struct first_error<T<L...>> : first_error_in<L...> {
};
template <RigidTree T>
struct first_error<T> {
  using type = rigid_tree<T>;
};
template <class... T>
using error_in = typename first_error<std::tuple<T...>>::type;

}  // namespace detail
}  // namespace tessera
