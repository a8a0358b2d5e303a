// SPDX-License-Identifier: Apache-2.0
#pragma once
// sinh, cosh, tanh, arcsinh, arccosh, arctanh (also asinh, acosh, atanh): x -> the same shape and spec; integers are
// converted to float32 first. Moves 0 bytes. Accuracy: tanh has base/math.hpp's bounds in float32, else the C++
// library's; complex x: op/elementwise/complex_math.hpp. Source: JAX 0.10.2 jax.numpy, lax.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/complex_math.hpp>
#include <tessera/op/elementwise/trigonometric.hpp>

#include <cmath>

namespace tessera {
namespace ops {

struct cosh;

struct sinh : floating<sinh> {
  static constexpr std::string_view name = "sinh";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::sinh(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<cosh>(back, {back.operand(0)});
  }
};

struct cosh : floating<cosh> {
  static constexpr std::string_view name = "cosh";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::cosh(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<sinh>(back, {back.operand(0)});
  }
};

struct tanh : floating<tanh> {
  static constexpr std::string_view name = "tanh";
  static constexpr bool of_complex = true;
  static constexpr int depth = 50;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::tanh(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return 1.0 - make<square>(back, {back.result()});
  }
};

struct arcsinh : floating<arcsinh> {
  static constexpr std::string_view name = "arcsinh";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::asinh(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<rsqrt>(back, {one_and_square(back, back.operand(0), 1)});
  }
};

struct arccosh : floating<arccosh> {
  static constexpr std::string_view name = "arccosh";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::acosh(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // 1 / sqrt((x - 1) (x + 1)); of complex x the product of two roots
    auto const x = back.operand(0), one = number(back.graph(), 1.0);
    if (is_complex(x.facts().element)) {
      auto const root = make<rsqrt>(back, {x - one});
      return root * make<rsqrt>(back, {x + one});
    }
    return make<rsqrt>(back, {make<multiply>(back, {x - one, x + one})});
  }
};

struct arctanh : floating<arctanh> {
  static constexpr std::string_view name = "arctanh";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::atanh(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<reciprocal>(back, {one_and_square(back, back.operand(0), -1)});
  }
};

}  // namespace ops

inline constexpr unary_door<ops::sinh> sinh;
inline constexpr unary_door<ops::cosh> cosh;
inline constexpr unary_door<ops::tanh> tanh;
inline constexpr unary_door<ops::arcsinh> arcsinh;
inline constexpr unary_door<ops::arcsinh> asinh;
inline constexpr unary_door<ops::arccosh> arccosh;
inline constexpr unary_door<ops::arccosh> acosh;
inline constexpr unary_door<ops::arctanh> arctanh;
inline constexpr unary_door<ops::arctanh> atanh;

}  // namespace tessera
