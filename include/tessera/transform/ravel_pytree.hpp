// SPDX-License-Identifier: Apache-2.0
#pragma once
// ravel_pytree: the elements of a tree of arrays as one vector, and the function back.
//   auto [flat, unravel] = ravel_pytree(params);   flat[n], of the promoted dtype; unravel(flat) is a tree like params
// A split dimension is an ambiguous reshape and refused, as anywhere, but for one that is the first. In traced code; with
// arrays call it in jit. Moves 0 bytes between devices. Source: JAX jax.flatten_util.ravel_pytree.

#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/trace/operand.hpp>
#include <tessera/trace/tree_functions.hpp>

namespace tessera {
namespace detail {

// The leaf of type A whose elements begin at First.
template <class A, std::int64_t First, class X, std::size_t... D>
constexpr auto unraveled(X const& flat, std::index_sequence<D...>) {
  auto const part = functions::slice_in_dim<0, First, First + A::value.size()>(flat);
  auto const shaped = functions::reshape<A::value.extent(static_cast<int>(D))...>(part);
  return functions::astype<typename A::element>(functions::reshard<typename A::spec>(shaped));
}
template <class T>
struct unravel_pytree {
  T like;
  template <class X>
  constexpr auto operator()(X const& flat) const {
    using leaves = decltype(tree_leaves(like));
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tree_unflatten(like, std::make_tuple(leaf<leaves, I>(flat)...));
    }
    (std::make_index_sequence<std::tuple_size_v<leaves>>{});
  }

private:
  template <class Leaves, std::size_t I>
  using type = typename operand_traits<std::tuple_element_t<I, Leaves>>::type;
  template <class Leaves, std::size_t I>
  static constexpr std::int64_t first = [] {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return (std::int64_t{0} + ... + type<Leaves, K>::value.size());
    }
    (std::make_index_sequence<I>{});
  }();
  template <class Leaves, std::size_t I, class X>
  static constexpr auto leaf(X const& flat) {
    using A = type<Leaves, I>;
    return unraveled<A, first<Leaves, I>>(flat, std::make_index_sequence<static_cast<std::size_t>(A::rank)>{});
  }
};

}  // namespace detail

namespace functions {

template <class T>
constexpr auto ravel_pytree(T const& t) {
  auto const flat = concatenate<0>(tree_map([](auto const& leaf) { return ravel(leaf); }, tree_leaves(t)));
  return std::make_tuple(flat, detail::unravel_pytree<T>{t});
}

}  // namespace functions

}  // namespace tessera
