// SPDX-License-Identifier: Apache-2.0
#pragma once
// comb(n, k): how many ways there are to take k of n things; n, k -> one value for each pair, in the merged layout; integers
// become floats. 0 where k < 0, n < 0 or k > n. By gammaln, with its relative error. Elementwise: moves 0 bytes.
// Source: JAX 0.10.2 jax.scipy.special.comb. Differs: with repetition it is comb(n + k - 1, k).

#include <tessera/functions/special.hpp>

namespace tessera {
namespace detail::bodies {

struct comb {
  constexpr auto operator()(auto const& given_n, auto const& given_k) const {
    auto const n = in_floats_with(given_k, given_n);
    auto const k = in_floats_with(given_n, given_k);
    auto const some = logical_and(logical_and(n >= 0, k >= 0), k <= n);
    auto const all = where(some, n, 0.0);
    auto const taken = where(some, k, 0.0);
    auto const value = exp(gammaln{}(all + 1.0) - gammaln{}(taken + 1.0) - gammaln{}(all - taken + 1.0));
    return where(some, value, 0.0);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::comb> comb;

}  // namespace tessera
