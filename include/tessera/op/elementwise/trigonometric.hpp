// SPDX-License-Identifier: Apache-2.0
#pragma once
// sin, cos, tan, arcsin, arccos, arctan (also asin, acos, atan): x -> the same shape and spec; arctan2(y, x), hypot(x,
// y): broadcast; angle(z): arctan2 of z's parts; deg2rad, rad2deg. Integers are converted to float32 first. Moves 0
// bytes. The accuracy is the C++ library's; complex x: op/elementwise/complex_math.hpp, but for arctan2 and hypot.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/complex_math.hpp>
#include <tessera/op/elementwise/powers.hpp>

#include <cmath>
#include <numbers>

namespace tessera {
namespace ops {

struct cos;

// 1 + s x^2
template <class B>
constexpr term one_and_square(B& back, term x, double s) {
  term square_of_x = make<square>(back, {x});
  if (s < 0) return 1.0 - square_of_x;
  return square_of_x + 1.0;
}

struct sin : floating<sin> {
  static constexpr std::string_view name = "sin";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::sin(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<cos>(back, {back.operand(0)});
  }
};

struct cos : floating<cos> {
  static constexpr std::string_view name = "cos";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::cos(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return -make<sin>(back, {back.operand(0)});
  }
};

struct tan : floating<tan> {
  static constexpr std::string_view name = "tan";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::tan(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return one_and_square(back, back.result(), 1);
  }
};

struct arcsin : floating<arcsin> {
  static constexpr std::string_view name = "arcsin";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::asin(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<rsqrt>(back, {one_and_square(back, back.operand(0), -1)});
  }
};

struct arccos : floating<arccos> {
  static constexpr std::string_view name = "arccos";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::acos(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return -make<rsqrt>(back, {one_and_square(back, back.operand(0), -1)});
  }
};

struct arctan : floating<arctan> {
  static constexpr std::string_view name = "arctan";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::atan(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<reciprocal>(back, {one_and_square(back, back.operand(0), 1)});
  }
};

struct arctan2 : binary<arctan2, accepts::floats> {
  static constexpr std::string_view name = "arctan2";
  template <class T>
  TESSERA_FUNCTION static T eval(T y, T x) {
    return std::atan2(y, x);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const y = back.operand(0), x = back.operand(1);
    auto const norm = make<add>(back, {make<square>(back, {x}), make<square>(back, {y})});
    auto const share = back.cotangent() / norm;
    if (back.wants(0)) back.give(0, share * x);
    if (back.wants(1)) back.give(1, -(share * y));
  }
};

struct hypot : binary<hypot, accepts::floats> {
  static constexpr std::string_view name = "hypot";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    return std::hypot(x, y);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {  // 1/2 each where both are 0, as in JAX
    auto const none = make<equal>(back, {back.result(), number(back.graph(), 0.0)});
    for (int k = 0; k < 2; ++k) {
      if (!back.wants(k)) continue;
      auto const share = back.operand(k) / back.result();
      auto const slope = make<where>(back, {none, number(back.graph(), 0.5), share});
      back.give(k, back.cotangent() * slope);
    }
  }
};

struct angle {
  static constexpr std::string_view name = "angle";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return make<arctan2>(b, {make<imag>(b, {x[0]}), make<real>(b, {x[0]})});
  }
};

struct deg2rad {
  static constexpr std::string_view name = "deg2rad";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    auto const degrees = tessera::detail::as_strong(b, tessera::detail::as_inexact(b, x[0]));
    return degrees ? degrees * (std::numbers::pi / 180) : degrees;
  }
};

struct rad2deg {
  static constexpr std::string_view name = "rad2deg";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    auto const radians = tessera::detail::as_strong(b, tessera::detail::as_inexact(b, x[0]));
    return radians ? radians * (180 / std::numbers::pi) : radians;
  }
};

}  // namespace ops

inline constexpr unary_door<ops::sin> sin;
inline constexpr unary_door<ops::cos> cos;
inline constexpr unary_door<ops::tan> tan;
inline constexpr unary_door<ops::arcsin> arcsin;
inline constexpr unary_door<ops::arcsin> asin;
inline constexpr unary_door<ops::arccos> arccos;
inline constexpr unary_door<ops::arccos> acos;
inline constexpr unary_door<ops::arctan> arctan;
inline constexpr unary_door<ops::arctan> atan;
inline constexpr binary_door<ops::arctan2> arctan2;
inline constexpr binary_door<ops::arctan2> atan2;
inline constexpr binary_door<ops::hypot> hypot;
inline constexpr unary_door<ops::angle> angle;
inline constexpr unary_door<ops::deg2rad> deg2rad;
inline constexpr unary_door<ops::rad2deg> rad2deg;

}  // namespace tessera
