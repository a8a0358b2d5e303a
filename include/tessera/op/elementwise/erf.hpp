// SPDX-License-Identifier: Apache-2.0
#pragma once
// erf, erfc: x -> the same shape and spec; erf_inv(x): the number whose erf is x, infinite at -1 and 1, NaN beyond.
// Integers are converted to float32 first. Moves 0 bytes. Accuracy: erf has base/math.hpp's bounds in float32; erf_inv
// has JAX's polynomials and is within 3 units in the last place of it; erfc is the C++ library's. Source: JAX 0.10.2
// lax.

#include <tessera/base/erf_inv.hpp>
#include <tessera/base/math.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/exponential.hpp>

#include <cmath>

namespace tessera {
namespace ops {

struct erf : floating<erf> {
  static constexpr std::string_view name = "erf";
  static constexpr int depth = 50;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::erf(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // 2 / sqrt(pi) exp(-x^2)
    auto const bell = make<exp>(back, {-make<square>(back, {back.operand(0)})});
    return bell * 1.1283791670955126;
  }
};

struct erfc : floating<erfc> {
  static constexpr std::string_view name = "erfc";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::erfc(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // -2 / sqrt(pi) exp(-x^2)
    auto const bell = make<exp>(back, {-make<square>(back, {back.operand(0)})});
    return bell * -1.1283791670955126;
  }
};

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

inline constexpr unary_door<ops::erf> erf;
inline constexpr unary_door<ops::erfc> erfc;
inline constexpr unary_door<ops::erf_inv> erf_inv;

}  // namespace tessera
