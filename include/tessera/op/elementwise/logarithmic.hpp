// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp2, log2, log10, cbrt, erfc: x -> the same shape and spec; logaddexp(x, y) = log(e^x + e^y): broadcast. Integers are
// converted to floats first. integer_pow<N>(x): x to a whole power, by squaring, in x's type.
// deg2rad, rad2deg. Moves 0 bytes. Source: JAX 0.10.2 jax.numpy, lax.

#include <tessera/op/create/fill.hpp>
#include <tessera/op/elementwise/exponential.hpp>

#include <limits>
#include <numbers>

namespace tessera {
namespace ops {

struct exp2 : floating<exp2> {
  static constexpr std::string_view name = "exp2";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::exp2(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return back.result() * std::numbers::ln2;
  }
};
struct log2 : floating<log2> {
  static constexpr std::string_view name = "log2";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::log2(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<reciprocal>(back, {back.operand(0) * std::numbers::ln2});
  }
};
struct log10 : floating<log10> {
  static constexpr std::string_view name = "log10";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::log10(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<reciprocal>(back, {back.operand(0) * std::numbers::ln10});
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

template <int Power>
struct integer_pow {
  static constexpr std::string_view name = "integer_pow";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const&) {
    term x = operand[0];
    array_value const facts = x.facts();
    if (facts.element == dtype::boolean || (Power < 0 && !is_floating(facts.element)))
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

struct deg2rad {
  static constexpr std::string_view name = "deg2rad";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B&, term const* x, int, attributes const&) {
    return x[0] * (std::numbers::pi / 180);
  }
};
struct rad2deg {
  static constexpr std::string_view name = "rad2deg";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B&, term const* x, int, attributes const&) {
    return x[0] * (180 / std::numbers::pi);
  }
};

}  // namespace ops

inline constexpr unary_door<ops::exp2> exp2;
inline constexpr unary_door<ops::log2> log2;
inline constexpr unary_door<ops::log10> log10;
inline constexpr unary_door<ops::cbrt> cbrt;
inline constexpr unary_door<ops::erfc> erfc;
inline constexpr binary_door<ops::logaddexp> logaddexp;
inline constexpr unary_door<ops::deg2rad> deg2rad;
inline constexpr unary_door<ops::rad2deg> rad2deg;

namespace functions {

template <int Power, class X>
constexpr auto integer_pow(X const& x, site at = std::source_location::current()) {
  return invoke<ops::integer_pow<Power>, no_params>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/create/fill.hpp>
