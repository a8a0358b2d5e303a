// SPDX-License-Identifier: Apache-2.0
#pragma once
// optimization_barrier(x, y, z): x, available when all of them have been computed; nothing is fused across it. With one
// tree: the tree, each value of which is available when all have been computed. Numbers and computed arrays, which are
// not values of the program, are returned unchanged. Inside vmap: once for each element of the batch, in order.
// Cotangents pass a barrier of their own. Source: JAX 0.10.2 lax.optimization_barrier.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/foundation.hpp>
#include <tessera/trace/tree.hpp>
#include <tessera/trace/tree_parts.hpp>

namespace tessera {
namespace ops {

struct optimization_barrier {
  static constexpr std::string_view name = "optimization_barrier";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<optimization_barrier>(back, {back.cotangent()}));
  }
};

}  // namespace ops

namespace detail {

// The leaves of a tree that are values of the program.
template <class T>
constexpr auto traced_leaves(T const& t) {
  if constexpr (Tree<T>)
    return with_parts(t, [](auto const&... part) { return std::tuple_cat(traced_leaves(part)...); });
  else if constexpr (is_traced<T>)
    return std::tuple<T>(t);
  else
    return std::tuple<>();
}
// x, once all leaves from number First on have been computed.
template <std::size_t First, class X, class... Leaf>
constexpr auto once_computed(site at, X const& x, std::tuple<Leaf...> const& leaves) {
  constexpr std::size_t left = sizeof...(Leaf) - First, most = builder::max_operands - 1;
  if constexpr (left == 0) {
    return x;
  } else {
    constexpr std::size_t count = left < most ? left : most;
    auto const part = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return invoke<ops::optimization_barrier, no_params>(at, x, std::get<First + I>(leaves)...);
    }
    (std::make_index_sequence<count>{});
    return once_computed<First + count>(at, part, leaves);
  }
}

}  // namespace detail

namespace functions {

template <Tree T>
constexpr auto optimization_barrier(T const& values, site at = std::source_location::current()) {
  auto const leaves = detail::traced_leaves(values);
  if constexpr (std::tuple_size_v<std::remove_cvref_t<decltype(leaves)>> == 0) {
    return values;
  } else {
    auto const done = detail::once_computed<1>(at, std::get<0>(leaves), leaves);
    return tree_map(
        [&]<class X>(X const& x) {
          if constexpr (is_traced<X>)
            return invoke<ops::optimization_barrier, no_params>(at, x, done);
          else
            return x;
        },
        values);
  }
}
template <class X>
constexpr auto optimization_barrier(X const& x, site at = std::source_location::current()) {
  return invoke<ops::optimization_barrier, no_params>(at, x);
}
template <class X, class Y>
constexpr auto optimization_barrier(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::optimization_barrier, no_params>(at, x, y);
}
template <class X, class Y, class Z>
constexpr auto optimization_barrier(X const& x, Y const& y, Z const& z, site at = std::source_location::current()) {
  return invoke<ops::optimization_barrier, no_params>(at, x, y, z);
}

}  // namespace functions

}  // namespace tessera
