// SPDX-License-Identifier: Apache-2.0
#pragma once
// dropout(key, x, rate): each element is 0 with probability rate, a number in [0, 1), otherwise x / (1 - rate); x's
// type and layout. Draws depend on positions in the whole array. Moves 0 bytes. Source: flax.linen.Dropout on JAX
// 0.10.2.

#include <tessera/op/create/fill.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/random/integers.hpp>

namespace tessera::train {

template <class K, class X>
constexpr auto dropout(random::prng_key<K> const& key, X const& x, double rate,
                       site at = std::source_location::current()) {
  auto const kept = random::bernoulli(key, full_like(x, 1 - rate, at), at);
  return where(kept, x * (1 / (1 - rate)), zeros_like(x, at), at);
}

}  // namespace tessera::train
