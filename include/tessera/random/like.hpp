// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers like other values: normal_like(key, x), uniform_like(key, x), rademacher_like(key, x) draw in the shape,
// dtype and layout of x. For a tree each leaf has a key of its own, fold_in(key, number of its path): noise for gradients
// and parameters, probes of a Hessian. Moves 0 bytes; x's values are not read. Source: optax.tree.random_like; equal to
// JAX's draws with those keys.

#include <tessera/random/normal.hpp>
#include <tessera/random/of_normal.hpp>
#include <tessera/random/uniform.hpp>
#include <tessera/trace/tree_functions.hpp>

namespace tessera {
namespace ops {

// (key, x) -> Draw's numbers like x.
template <class Draw>
struct random_like {
  static constexpr std::string_view name = Draw::name;
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    array_value const like = x[1].facts();
    random_params const asked{like.element, like.shape()};
    return Draw::build(b, x, 1, like.rank > 0 ? attributes(asked, layout_of(like)) : attributes(asked));
  }
};

}  // namespace ops

namespace random {

namespace detail {
template <class Draw, class K, class X>
constexpr auto draw_like(prng_key<K> const& key, X const& x, site at) {
  if constexpr (Tree<X>)
    return tree_map_with_path(
        [&](auto path, auto const& leaf) {
          return draw_like<Draw>(fold_in(key, decltype(path)::number, at), leaf, at);
        },
        x);
  else
    return invoke<ops::random_like<Draw>, no_params>(at, key.data, x);
}
}  // namespace detail

template <class K, class X>
constexpr auto normal_like(prng_key<K> const& key, X const& x, site at = std::source_location::current()) {
  return detail::draw_like<ops::random_normal>(key, x, at);
}
template <class K, class X>
constexpr auto uniform_like(prng_key<K> const& key, X const& x, site at = std::source_location::current()) {
  return detail::draw_like<ops::random_uniform>(key, x, at);
}
template <class K, class X>
constexpr auto rademacher_like(prng_key<K> const& key, X const& x, site at = std::source_location::current()) {
  return detail::draw_like<ops::random_rademacher>(key, x, at);
}

}  // namespace random
}  // namespace tessera
