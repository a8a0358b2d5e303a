// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on trees of gradients, before an optimizer uses them.
//   global_norm(tree): the root of the sum of all squares, float32, or float64 where a leaf is; a sharded leaf costs an
//   all_reduce of one number.
//   clip_by_global_norm(tree, most): all leaves times the same factor if its norm is over `most`.
//   accumulate(sum, tree, count): sum + tree / count, over the parts of a batch; begin with zeros.
//   ema(mean, tree, decay): decay mean + (1 - decay) tree. add_decay(tree, parameters, decay): L2 regularization.
// Source: optax 0.2 global_norm, clip_by_global_norm, ema.

#include <tessera/op/reduce.hpp>
#include <tessera/trace/tree_functions.hpp>
#include <tessera/train/optimizers.hpp>

#include <type_traits>

namespace tessera::train {

template <class T>
constexpr auto global_norm(T const& tree) {
  auto const of_leaf = [](auto const& x) {
    using leaf = std::remove_cvref_t<decltype(x)>;
    if constexpr (is_complex(operand_traits<leaf>::type::value.element) || detail::of_64_bits::holds<leaf>)
      return tessera::sum(detail::squared(x));
    else
      return tessera::sum(detail::squared(astype<float>(x)));
  };
  auto const squares = tree_map(of_leaf, tree);
  return tessera::sqrt(tree_reduce([](auto const& a, auto const& b) { return a + b; }, squares));
}
template <class T, class Most>
constexpr auto clip_by_global_norm(T const& tree, Most const& most) {
  auto const norm = global_norm(tree);
  auto const factor = tessera::where(norm < most, 1.0f, most / norm);
  return tree_map([&](auto const& g) { return detail::as_before(g, g * factor); }, tree);
}
template <class S, class T>
constexpr auto accumulate(S const& sum, T const& tree, double count) {
  return tree_map([&](auto const& s, auto const& g) { return detail::as_before(s, s + g * (1 / count)); }, sum, tree);
}
template <class M, class T>
constexpr auto ema(M const& mean, T const& tree, double decay) {
  return detail::moving_mean(decay, mean, tree);
}
template <class T, class P>
constexpr auto add_decay(T const& tree, P const& parameters, double decay) {
  return tree_map([&](auto const& g, auto const& p) { return detail::as_before(g, g + p * decay); }, tree, parameters);
}

}  // namespace tessera::train
