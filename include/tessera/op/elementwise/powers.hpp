// SPDX-License-Identifier: Apache-2.0
#pragma once
// sqrt, rsqrt, cbrt: x -> the same shape and spec; integers are converted to float32 first. integer_pow<N>(x): x to a
// whole power, by squaring, in x's type. Complex x, but for cbrt: op/elementwise/complex_math.hpp. Moves 0 bytes.
// Source: JAX 0.10.2 jax.numpy, lax.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/complex_math.hpp>

#include <cmath>

namespace tessera {
namespace ops {

struct sqrt : unary<sqrt, accepts::floats> {
  static constexpr std::string_view name = "sqrt";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::sqrt(x);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const half = back.cotangent() * 0.5;
    back.give(0, half / back.result());
  }
};

struct rsqrt : floating<rsqrt> {
  static constexpr std::string_view name = "rsqrt";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return math::rsqrt(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // -y / (2 x)
    auto const half = back.result() * -0.5;
    return half / back.operand(0);
  }
};

struct cbrt : floating<cbrt> {
  static constexpr std::string_view name = "cbrt";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::cbrt(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // 1 / (3 y^2): infinite at 0, 0 at infinities
    return make<reciprocal>(back, {make<square>(back, {back.result()}) * 3});
  }
};

template <int Power>
struct integer_pow {
  static constexpr std::string_view name = "integer_pow";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const&) {
    term x = operand[0];
    array_value const facts = x.facts();
    if (facts.element == dtype::boolean || (Power < 0 && !is_inexact(facts.element)))
      return b.template refuse<integer_pow>(refuse(reason::element_unsupported), facts);
    if (Power == 0) return make<full_like>(b, {x, number(b, 1.0)});
    if (Power < 0) x = make<reciprocal>(b, {x});  // at first: its gradient is finite or infinite at 0
    term product{&b, -1};
    for (unsigned left = Power < 0 ? 0u - static_cast<unsigned>(Power) : static_cast<unsigned>(Power); left > 0;
         left /= 2) {
      if (left % 2 == 1) product = product ? product * x : x;
      if (left > 1) x = make<square>(b, {x});
    }
    return product;
  }
};

}  // namespace ops

inline constexpr unary_door<ops::sqrt> sqrt;
inline constexpr unary_door<ops::rsqrt> rsqrt;
inline constexpr unary_door<ops::cbrt> cbrt;

namespace functions {

template <int Power, class X>
constexpr auto integer_pow(X const& x, site at = std::source_location::current()) {
  return invoke<ops::integer_pow<Power>, no_params>(at, x);
}

}  // namespace functions

}  // namespace tessera
