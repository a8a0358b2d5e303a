// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp, expm1, exp2, logistic (sigmoid): x -> the same shape and spec; integers are converted to float32 first. Moves
// 0 bytes. Accuracy: base/math.hpp's bounds in float32, else the C++ library's; complex x:
// op/elementwise/complex_math.hpp. Source: JAX 0.10.2 lax, jax.nn.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/complex_math.hpp>

#include <cmath>

namespace tessera {
namespace ops {

struct exp : floating<exp> {
  static constexpr std::string_view name = "exp";
  static constexpr int depth = 30;
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::exp(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return back.result();
  }
};

struct expm1 : floating<expm1> {
  static constexpr std::string_view name = "expm1";
  static constexpr bool of_complex = true;
  static constexpr int depth = 35;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::expm1(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return back.result() + 1.0;
  }
};

struct exp2 : floating<exp2> {
  static constexpr std::string_view name = "exp2";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::exp2(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return back.result() * std::numbers::ln2;
  }
};

struct logistic : floating<logistic> {
  static constexpr std::string_view name = "logistic";
  static constexpr bool of_complex = true;
  static constexpr int depth = 45;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::logistic(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    auto const rest = 1.0 - back.result();
    return back.result() * rest;
  }
};

}  // namespace ops

inline constexpr unary_door<ops::exp> exp;
inline constexpr unary_door<ops::expm1> expm1;
inline constexpr unary_door<ops::exp2> exp2;
inline constexpr unary_door<ops::logistic> logistic;
inline constexpr unary_door<ops::logistic> sigmoid;

}  // namespace tessera
