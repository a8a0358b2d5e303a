// SPDX-License-Identifier: Apache-2.0
#pragma once
// ball<float, 3, 8>(key, p = 2): 8 points (8, 3), evenly spread over those with |x1|^p + |x2|^p + |x3|^p <= 1. The layout
// of out_sharding is that of the points; each is whole. Gradient by p. Moves 0 bytes. Equal to JAX's except for rounding.
// Source: JAX 0.10.2 jax.random.ball; Barthe, Guedon, Mendelson, Naor 2005.

#include <tessera/op/elementwise.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/random/gamma.hpp>

namespace tessera {
namespace random {

namespace detail {
template <class Element, std::int64_t D, std::int64_t... Extents, class K, class P, class... Out>
constexpr auto in_ball(prng_key<K> const& key, P const& p, site at, Out const&... out) {
  auto const keys = random::split(key, at);
  auto const g = random::generalized_normal<Element, Extents..., D>(keys[0], p, out..., at);
  auto const e = random::exponential<Element, Extents...>(keys[1], out..., at);
  auto const length = power(sum<-1>(power(abs(g, at), p, at), at) + e, 1.0 / p, at);
  return divide(g, expand_dims<-1>(length, at), at);
}
}  // namespace detail

template <class Element, std::int64_t D, std::int64_t... Extents, class K, class P = double>
constexpr auto ball(prng_key<K> const& key, P const& p = 2.0, site at = std::source_location::current()) {
  return detail::in_ball<Element, D, Extents...>(key, p, at);
}
template <class Element, std::int64_t D, std::int64_t... Extents, class K, class P, Spec S, Mesh M>
constexpr auto ball(prng_key<K> const& key, P const& p, out_sharding_t<S, M> out,
                    site at = std::source_location::current()) {
  return detail::in_ball<Element, D, Extents...>(key, p, at, out);
}

}  // namespace random
}  // namespace tessera
