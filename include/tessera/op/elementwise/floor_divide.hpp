// SPDX-License-Identifier: Apache-2.0
#pragma once
// floor_divide, fmod: the quotient rounded down, and the remainder with the dividend's sign; no gradient but for fmod.
// Whole numbers by 0 as in JAX: 0 // 0 is -1, others -2, unsigned ones give the highest; fmod 0.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/elementwise/rounding.hpp>

namespace tessera {
namespace ops {

struct floor_divide : binary<floor_divide> {
  static constexpr std::string_view name = "floor_divide";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {  // as Python's //: the quotient of what has no remainder
      T const rest = std::fmod(x, y);
      T q = (x - rest) / y;
      if (rest != 0 && (rest < 0) != (y < 0)) q -= 1;
      T const whole = std::floor(q);
      return y == 0 ? x / y : q - whole > T(0.5) ? whole + 1 : whole;
    } else {
      if (y == 0) return static_cast<T>(std::is_signed_v<T> && x != 0 ? -2 : -1);  // as JAX
      T const q = is_minus_one(y) ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x)) : static_cast<T>(x / y);
      return !is_minus_one(y) && x % y != 0 && below_zero(x) != below_zero(y) ? q - 1 : q;
    }
  }
  // By 0 an unsigned number gives the highest one. Registers of small ones are signed, and do not tell.
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    auto const q = binary<floor_divide>::build(b, x, count, attrs);
    dtype const joint = q ? q.facts().element : dtype::boolean;
    if (!is_unsigned(joint) || wide_integer(joint) == joint) return q;
    auto const none = make<equal>(b, {x[1], number(b, 0.0, joint)});
    literal_params highest;
    highest.element = joint;
    highest.integer = highest_integer(joint);
    return make<where>(b, {none, b.template emit<literal>({}, highest), q});
  }
  static constexpr bool locally_constant = true;
};
struct fmod : binary<fmod> {
  static constexpr std::string_view name = "fmod";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmod(x, y);
    else
      return y == 0 || is_minus_one(y) ? T(0) : static_cast<T>(x % y);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {  // x - y trunc(x / y)
    back.give(0, back.cotangent());
    if (!back.wants(1)) return;
    auto const times = make<trunc>(back, {back.operand(0) / back.operand(1)});
    back.give(1, -(back.cotangent() * times));
  }
};

}  // namespace ops

inline constexpr binary_door<ops::floor_divide> floor_divide;
inline constexpr binary_door<ops::fmod> fmod;

}  // namespace tessera
