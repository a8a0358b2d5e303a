// SPDX-License-Identifier: Apache-2.0
#pragma once
// floor, ceil, trunc, round (halves to even; to decimals: round_decimals.hpp), rint: x -> the same type; integers and bool
// do not change (rint converts them to floats). reduce_precision<Exponent, Mantissa>(x): floating x with the range and precision of these numbers of
// bits. nan_to_num: NaN becomes 0, infinities the largest finite values. The gradient of the first five is 0, that of
// reduce_precision is the cotangent, that of nan_to_num is the cotangent where x is finite. Moves 0 bytes. Source: JAX
// 0.10.2 jax.numpy, lax.

#include <tessera/aval/float_format.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>

#include <limits>

namespace tessera {
namespace ops {

struct equal;
struct isnan;
struct where;

template <class Op>
struct rounding : unary<Op, accepts::floats> {
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return is_inexact(x[0].facts().element) ? b.template emit<Op>({x[0]}) : x[0];
  }
  static constexpr bool locally_constant = true;
};

struct floor : rounding<floor> {
  static constexpr std::string_view name = "floor";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::floor(x);
  }
};
struct ceil : rounding<ceil> {
  static constexpr std::string_view name = "ceil";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::ceil(x);
  }
};
struct trunc : rounding<trunc> {
  static constexpr std::string_view name = "trunc";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return std::trunc(x);
  }
};
// Of a complex number each part.
struct round : rounding<round> {
  static constexpr std::string_view name = "round";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    if constexpr (tessera::detail::is_complex_type<T>)
      return {eval(x.real()), eval(x.imag())};
    else
      return std::nearbyint(x);
  }
};
struct rint : unary<rint, accepts::floats> {
  static constexpr std::string_view name = "rint";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return round::eval(x);
  }
  static constexpr bool locally_constant = true;
};

// Rounded to nearest even at the last kept mantissa bit; infinity above the range, 0 below it.
template <int Exponent, int Mantissa>
struct reduce_precision : unary<reduce_precision<Exponent, Mantissa>, accepts::floats> {
  static_assert(Exponent >= 1 && Mantissa >= 0, "tessera: reduce_precision keeps one bit of exponent at least.");
  static constexpr std::string_view name = "reduce_precision";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int own_mantissa = sizeof(T) == 4 ? 23 : 52, own_exponent = sizeof(T) == 4 ? 8 : 11;
    auto raw = std::bit_cast<bits>(x);
    constexpr bits sign = bits{1} << (sizeof(T) * 8 - 1);
    constexpr bits infinity = ((bits{1} << own_exponent) - 1) << own_mantissa;
    if ((raw & ~sign) >= infinity) return x;
    if constexpr (Mantissa < own_mantissa) {
      constexpr int cut = own_mantissa - Mantissa;
      raw += (bits{1} << (cut - 1)) - 1 + ((raw >> cut) & 1);
      raw &= ~((bits{1} << cut) - 1);
    }
    if constexpr (Exponent < own_exponent) {
      constexpr bits bias = (bits{1} << (own_exponent - 1)) - 1, reduced = (bits{1} << (Exponent - 1)) - 1;
      bits const exponent = (raw & infinity) >> own_mantissa;
      if (exponent > bias + reduced) raw = (raw & sign) | infinity;
      if (exponent <= bias - reduced) raw &= sign;
    }
    return std::bit_cast<T>(raw);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<reduce_precision>(back, {back.cotangent()}));
  }
};

struct nan_to_num {
  static constexpr std::string_view name = "nan_to_num";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const&) {
    term x = operand[0];
    dtype const element = x.facts().element;
    if (!is_floating(element)) return x;
    double const inf = std::numeric_limits<double>::infinity(), most = float_format_of(element).largest;
    x = make<where>(b, {make<isnan>(b, {x}), number(b, 0.0, element), x});
    x = make<where>(b, {make<equal>(b, {x, number(b, inf, element)}), number(b, most, element), x});
    return make<where>(b, {make<equal>(b, {x, number(b, -inf, element)}), number(b, -most, element), x});
  }
};

}  // namespace ops

inline constexpr unary_door<ops::floor> floor;
inline constexpr unary_door<ops::ceil> ceil;
inline constexpr unary_door<ops::trunc> trunc;
namespace detail {
// round(x), and round(x, decimals), which op/elementwise/round_decimals.hpp defines.
struct round_door : unary_door<ops::round> {
  using unary_door<ops::round>::operator();
  template <class X>
  constexpr auto operator()(X const& x, int decimals, site at = std::source_location::current()) const;
};
}  // namespace detail
inline constexpr detail::round_door round;
inline constexpr unary_door<ops::rint> rint;
inline constexpr unary_door<ops::nan_to_num> nan_to_num;

namespace functions {

template <int Exponent = 8, int Mantissa = 23, class X>
constexpr auto reduce_precision(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reduce_precision<Exponent, Mantissa>, no_params>(at, x);
}

}  // namespace functions

}  // namespace tessera
