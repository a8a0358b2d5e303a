// SPDX-License-Identifier: Apache-2.0
#pragma once
// erf_inv(x): the number whose erf is x -> the same shape and spec; infinite at -1 and 1, NaN beyond. Moves 0 bytes.
// Source: JAX 0.10.2 lax.erf_inv, whose polynomials it has: within 3 units in the last place of it.

#include <tessera/base/erf_inv.hpp>
#include <tessera/op/elementwise/exponential.hpp>

namespace tessera {
namespace ops {

struct erf_inv : floating<erf_inv> {
  static constexpr std::string_view name = "erf_inv";
  static constexpr int depth = 75;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::erf_inv(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // sqrt(pi) / 2 exp(y^2)
    auto const grown = make<exp>(back, {make<square>(back, {back.result()})});
    return grown * 0.8862269254527580;
  }
};

}  // namespace ops

inline constexpr unary_door<ops::erf_inv> erf_inv;

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
