// SPDX-License-Identifier: Apache-2.0
#pragma once
// log, log1p, log2, log10: x -> the same shape and spec; logaddexp(x, y) = log(e^x + e^y): broadcast. Integers are
// converted to float32 first. Moves 0 bytes. Accuracy: base/math.hpp's bounds in float32, else the C++ library's;
// complex x, but for logaddexp: op/elementwise/complex_math.hpp. Source: JAX 0.10.2 jax.numpy, lax.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/complex_math.hpp>
#include <tessera/op/elementwise/exponential.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace tessera {
namespace ops {

struct log : unary<log, accepts::floats> {
  static constexpr std::string_view name = "log";
  static constexpr bool of_complex = true;
  static constexpr int depth = 45;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::log(x);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent() / back.operand(0));
  }
};

struct log1p : unary<log1p, accepts::floats> {
  static constexpr std::string_view name = "log1p";
  static constexpr bool of_complex = true;
  static constexpr int depth = 60;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::log1p(x);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const above = back.operand(0) + 1.0;
    back.give(0, back.cotangent() / above);
  }
};

struct log2 : floating<log2> {
  static constexpr std::string_view name = "log2";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::log2(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<reciprocal>(back, {back.operand(0) * std::numbers::ln2});
  }
};

struct log10 : floating<log10> {
  static constexpr std::string_view name = "log10";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::log10(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<reciprocal>(back, {back.operand(0) * std::numbers::ln10});
  }
};

struct logaddexp : binary<logaddexp, accepts::floats> {
  static constexpr std::string_view name = "logaddexp";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    T const apart = x - y, most = x > y ? x : y;
    if (apart != apart) return x + y;  // a NaN, or equal infinities
    return most + math::log1p(math::exp(apart < 0 ? apart : -apart));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {  // an infinite result counts as 0, as in JAX
    auto const finite = [&](term x) {
      auto const infinite = number(back.graph(), std::numeric_limits<double>::infinity());
      return make<where>(back, {make<equal>(back, {x, infinite}), number(back.graph(), 0.0), x});
    };
    auto const result = finite(back.result());
    for (int k = 0; k < 2; ++k) {
      if (!back.wants(k)) continue;
      auto const share = make<exp>(back, {finite(back.operand(k)) - result});
      back.give(k, back.cotangent() * share);
    }
  }
};

}  // namespace ops

inline constexpr unary_door<ops::log> log;
inline constexpr unary_door<ops::log1p> log1p;
inline constexpr unary_door<ops::log2> log2;
inline constexpr unary_door<ops::log10> log10;
inline constexpr binary_door<ops::logaddexp> logaddexp;

}  // namespace tessera
