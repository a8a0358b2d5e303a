// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp, expm1, log, log1p, sqrt, rsqrt, tanh, logistic (sigmoid), erf, sin, cos: x -> the same shape and spec; integers
// are converted to float32 first. Moves 0 bytes. Accuracy: base/math.hpp's bounds in float32, else the C++ library's.

#include <tessera/base/math.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>

#include <cmath>

namespace tessera {
namespace ops {

struct multiply;
struct divide;
struct subtract;
struct negative;
struct square;

// A floating function whose gradient is the cotangent times Op::slope(back).
template <class Op>
struct floating : unary<Op, accepts::floats> {
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent() * Op::slope(back));
  }
};

struct exp : floating<exp> {
  static constexpr std::string_view name = "exp";
  static constexpr int depth = 30;
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    if constexpr (tessera::detail::is_complex_type<T>) {
      auto const size = math::exp(x.real());
      if (x.imag() == 0) return {size, x.imag()};  // an infinite size times 0 would be NaN
      return {size * std::cos(x.imag()), size * std::sin(x.imag())};
    } else {
      return math::exp(x);
    }
  }
  template <class B>
  static constexpr term slope(B& back) {
    return back.result();
  }
};

struct expm1 : floating<expm1> {
  static constexpr std::string_view name = "expm1";
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

struct log : unary<log, accepts::floats> {
  static constexpr std::string_view name = "log";
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

struct sqrt : unary<sqrt, accepts::floats> {
  static constexpr std::string_view name = "sqrt";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::sqrt(x);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const half = back.cotangent() * 0.5;
    back.give(0, half / back.result());
  }
};

struct rsqrt : floating<rsqrt> {
  static constexpr std::string_view name = "rsqrt";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return T(1) / std::sqrt(x);
  }
  template <class B>
  static constexpr term slope(B& back) {  // -y / (2 x)
    auto const half = back.result() * -0.5;
    return half / back.operand(0);
  }
};

struct tanh : floating<tanh> {
  static constexpr std::string_view name = "tanh";
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

struct logistic : floating<logistic> {
  static constexpr std::string_view name = "logistic";
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

struct cos;
struct sin : floating<sin> {
  static constexpr std::string_view name = "sin";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::sin(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return make<cos>(back, {back.operand(0)});
  }
};
struct cos : floating<cos> {
  static constexpr std::string_view name = "cos";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::cos(x);
  }
  template <class B>
  static constexpr term slope(B& back) {
    return -make<sin>(back, {back.operand(0)});
  }
};

}  // namespace ops

inline constexpr unary_door<ops::exp> exp;
inline constexpr unary_door<ops::expm1> expm1;
inline constexpr unary_door<ops::log> log;
inline constexpr unary_door<ops::log1p> log1p;
inline constexpr unary_door<ops::sqrt> sqrt;
inline constexpr unary_door<ops::rsqrt> rsqrt;
inline constexpr unary_door<ops::tanh> tanh;
inline constexpr unary_door<ops::logistic> logistic;
inline constexpr unary_door<ops::logistic> sigmoid;
inline constexpr unary_door<ops::erf> erf;
inline constexpr unary_door<ops::sin> sin;
inline constexpr unary_door<ops::cos> cos;

}  // namespace tessera

#include <tessera/op/elementwise/arithmetic.hpp>
