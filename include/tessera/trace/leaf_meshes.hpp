// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mesh that the leaves of a tree have in common.

#include <tessera/graph/keys.hpp>
#include <tessera/trace/apply.hpp>
#include <tessera/trace/enter_numbers.hpp>
#include <tessera/trace/tree_parts.hpp>
#include <tessera/trace/with_line.hpp>

namespace tessera {
namespace detail {

template <class... M>
using joined_mesh = typename common_mesh<M...>::type;

template <class T>
struct leaf_meshes {
  using type = no_mesh;
};
template <ArrayType A>
struct leaf_meshes<A> {
  using type = typename A::mesh;
};
template <class... T>
struct leaf_meshes<std::tuple<T...>> {
  using type = joined_mesh<typename leaf_meshes<T>::type...>;
};
template <class A, class B>
struct leaf_meshes<std::pair<A, B>> : leaf_meshes<std::tuple<A, B>> {};
template <class T, std::size_t N>
struct leaf_meshes<std::array<T, N>> : leaf_meshes<T> {};
template <template <class...> class T, class... L>
  requires NamedTree<T<L...>>
struct leaf_meshes<T<L...>> : leaf_meshes<std::tuple<L...>> {
};

}  // namespace detail
}  // namespace tessera
