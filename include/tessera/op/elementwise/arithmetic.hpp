// SPDX-License-Identifier: Apache-2.0
#pragma once
// add, subtract, multiply, divide, remainder, power, maximum, minimum: (x, y) -> broadcast shape, merged spec, promoted
// dtype. negative, absolute, sign, square, reciprocal: x -> the same type; abs of complex x is real. All move 0 bytes.
// divide of integers computes in floats (int64: float64), power of integers in integers; remainder has the divisor's
// sign; maximum and minimum are NaN if an operand is NaN.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/complex_math.hpp>

#include <cmath>

namespace tessera {
namespace ops {

struct conj;
struct equal;
struct floor;
struct greater_equal;
struct less;
struct log;
struct logical_and;
struct not_equal;
struct trunc;
struct where;

struct negative : unary<negative> {
  static constexpr std::string_view name = "negative";
  static constexpr bool light = true;
  static constexpr bool of_complex = true;
  static constexpr bool linear = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x) {
    return static_cast<T>(-wrapping(x));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, -back.cotangent());
  }
};

struct add : binary<add, accepts::any> {
  static constexpr std::string_view name = "add";
  static constexpr bool light = true;
  static constexpr bool of_complex = true;
  static constexpr rule::partial_sums partial = rule::partial_sums::added;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(wrapping(x) + wrapping(y));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
    back.give(1, back.cotangent());
  }
};

struct subtract : binary<subtract> {
  static constexpr std::string_view name = "subtract";
  static constexpr bool light = true;
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(wrapping(x) - wrapping(y));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
    if (back.wants(1)) back.give(1, -back.cotangent());
  }
};

struct multiply : binary<multiply, accepts::any> {
  static constexpr std::string_view name = "multiply";
  static constexpr bool light = true;
  static constexpr bool of_complex = true;
  static constexpr rule::partial_sums partial = rule::partial_sums::scaled;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(wrapping(x) * wrapping(y));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    if (back.wants(0)) back.give(0, back.cotangent() * back.operand(1));
    if (back.wants(1)) back.give(1, back.cotangent() * back.operand(0));
  }
};

struct divide : binary<divide, accepts::floats> {
  static constexpr std::string_view name = "divide";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return x / y;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const by_y = back.cotangent() / back.operand(1);
    back.give(0, by_y);
    if (back.wants(1)) back.give(1, -(by_y * back.result()));
  }
};

template <class T>
TESSERA_FUNCTION constexpr bool is_minus_one(T x) {
  return std::is_signed_v<T> && x == static_cast<T>(-1);
}

template <class T>
TESSERA_FUNCTION constexpr bool below_zero(T x) {
  if constexpr (std::is_unsigned_v<T>)
    return false;
  else
    return x < 0;
}

struct remainder : binary<remainder> {
  static constexpr std::string_view name = "remainder";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      T const r = std::fmod(x, y);
      return r != 0 && (r < 0) != (y < 0) ? r + y : r;
    } else {
      if (y == 0 || is_minus_one(y)) return 0;  // the lowest number % -1 traps
      T const r = static_cast<T>(x % y);
      return r != 0 && below_zero(r) != below_zero(y) ? static_cast<T>(r + y) : r;
    }
  }
  template <class B>
  static constexpr void transpose(B& back, int) {  // fmod(x, y), and y where that has the other sign
    auto const ct = back.cotangent(), x = back.operand(0), y = back.operand(1);
    back.give(0, ct);
    if (!back.wants(1)) return;
    auto const quotient = x / y, times = make<trunc>(back, {quotient});
    back.give(1, -(ct * times));
    auto const none = number(back.graph(), 0.0), rest = make<not_equal>(back, {back.result(), none});
    auto const other = make<not_equal>(back, {make<less>(back, {x, none}), make<less>(back, {y, none})});
    back.give(1, make<where>(back, {make<logical_and>(back, {rest, other}), ct, none}));
  }
};

// Integers: by squaring; a negative power is that of 1 / x rounded to 0, as in XLA.
struct power : binary<power> {
  static constexpr std::string_view name = "power";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    if constexpr (!std::is_integral_v<T>) {
      return math::pow(x, y);
    } else {
      if (below_zero(y)) return x == 1 || (is_minus_one(x) && y % 2 == 0) ? T(1) : is_minus_one(x) ? T(-1) : T(0);
      using U = std::make_unsigned_t<T>;
      U product = 1, factor = static_cast<U>(x);
      for (; y > 0; y = static_cast<T>(y / 2), factor *= factor)
        if (y % 2 == 1) product *= factor;
      return static_cast<T>(product);
    }
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    term both[]{x[0], x[1]};
    cast_params const to{dtype::int32};
    if (both[0].facts().element == dtype::boolean && both[1].facts().element == dtype::boolean)
      both[0] = make<cast>(b, {both[0]}, to);
    if (is_integer(both[1].facts().element) && !both[1].facts().weak) both[0] = tessera::detail::as_strong(b, both[0]);
    return binary<power>::build(b, both, count, attrs);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const x = back.operand(0), y = back.operand(1), one = number(back.graph(), 1.0);
    if (back.wants(0)) {
      auto const lower = make<power>(back, {x, y - one});
      back.give(0, back.cotangent() * (y * lower));
    }
    if (back.wants(1)) {  // log(0) counts as 0, as in JAX
      auto const zero = make<equal>(back, {x, number(back.graph(), 0.0)});
      auto const safe = make<where>(back, {zero, one, x});
      auto const slope = back.result() * make<log>(back, {safe});
      back.give(1, back.cotangent() * slope);
    }
  }
};

// Gradient of maximum and minimum: to the operand that was chosen, half to each where they are equal.
template <class B>
constexpr void give_to_chosen(B& back) {
  auto& b = back.graph();
  for (int k = 0; k < 2; ++k) {
    if (!back.wants(k)) continue;
    auto const own = back.operand(k), other = back.operand(1 - k);
    auto const tie = make<where>(back, {make<equal>(back, {own, other}), number(b, 0.5), number(b, 1.0)});
    auto const chosen = make<equal>(back, {own, back.result()});
    auto const share = make<where>(back, {chosen, tie, number(b, 0.0)});
    back.give(k, back.cotangent() * share);
  }
}

struct maximum : binary<maximum, accepts::any> {
  static constexpr std::string_view name = "maximum";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return x != x ? x : y != y ? y : x > y ? x : y;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    give_to_chosen(back);
  }
};

struct minimum : binary<minimum, accepts::any> {
  static constexpr std::string_view name = "minimum";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return x != x ? x : y != y ? y : x < y ? x : y;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    give_to_chosen(back);
  }
};

struct sign : unary<sign> {
  static constexpr std::string_view name = "sign";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x) {
    if constexpr (tessera::detail::is_complex_type<T>)
      return math::sign(x);
    else
      return x > 0 ? T(1) : below_zero(x) ? T(-1) : x;
  }
  static constexpr bool locally_constant = true;
};

// Gradient of |z|: conj(z) / |z|, 0 at 0.
template <class B>
constexpr void give_to_complex_size(B& back) {
  auto const size = back.result();
  auto const none = make<equal>(back, {size, number(back.graph(), 0.0)});
  auto const below = make<where>(back, {none, number(back.graph(), 1.0), size});
  auto const scale = back.cotangent() / below;
  back.give(0, scale * make<conj>(back, {back.operand(0)}));
}

// The cotangent where `kept`, elsewhere minus it.
template <class B>
constexpr void give_by_sign(B& back, term kept) {
  auto const ct = back.cotangent();
  back.give(0, make<where>(back, {kept, ct, -ct}));
}

// The gradient at 0 of both signs is 1, as in JAX.
struct absolute : unary<absolute> {
  static constexpr std::string_view name = "abs";
  static constexpr bool of_complex = true, gives_real = true;
  template <class T>
  TESSERA_FUNCTION static auto eval(T x) {
    if constexpr (tessera::detail::is_complex_type<T>)
      return std::hypot(x.real(), x.imag());
    else
      return below_zero(x) ? static_cast<T>(-wrapping(x)) : x == 0 ? T(0) : x;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    if (is_complex(back.operand(0).facts().element)) return give_to_complex_size(back);
    give_by_sign(back, make<greater_equal>(back, {back.operand(0), number(back.graph(), 0.0)}));
  }
};

struct square : unary<square> {
  static constexpr std::string_view name = "square";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x) {
    return static_cast<T>(wrapping(x) * wrapping(x));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const twice = back.operand(0) * 2.0;
    back.give(0, back.cotangent() * twice);
  }
};

// |x|^2, real for complex x, too.
template <class B>
constexpr term squared_size(B& b, term x) {
  return make<square>(b, {x && is_complex(x.facts().element) ? make<absolute>(b, {x}) : x});
}

struct reciprocal : unary<reciprocal, accepts::floats> {
  static constexpr std::string_view name = "reciprocal";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x) {
    return T(1) / x;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const slope = -make<square>(back, {back.result()});
    back.give(0, back.cotangent() * slope);
  }
};

}  // namespace ops

inline constexpr binary_door<ops::add> add;
inline constexpr binary_door<ops::subtract> subtract;
inline constexpr binary_door<ops::multiply> multiply;
inline constexpr binary_door<ops::divide> divide;
inline constexpr binary_door<ops::remainder> remainder;
inline constexpr binary_door<ops::power> power;
inline constexpr binary_door<ops::power> pow;
inline constexpr binary_door<ops::maximum> maximum;
inline constexpr binary_door<ops::minimum> minimum;
inline constexpr unary_door<ops::negative> negative;
inline constexpr unary_door<ops::absolute> abs;
inline constexpr unary_door<ops::sign> sign;
inline constexpr unary_door<ops::square> square;
inline constexpr unary_door<ops::reciprocal> reciprocal;

}  // namespace tessera

#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>
#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/op/elementwise/where.hpp>
