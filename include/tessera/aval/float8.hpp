// SPDX-License-Identifier: Apache-2.0
#pragma once
// float8_e4m3fn and float8_e5m2 as storage: loaded into float, computed in float, rounded to nearest even when stored.
//   float8_e4m3fn  4 bits of exponent, 3 of mantissa: up to 448; no infinity, what is larger becomes NaN
//   float8_e5m2    5 bits of exponent, 2 of mantissa: up to 57344; with infinity, as IEEE types
// A double is rounded once. std::numeric_limits has both (jnp.finfo). Conversions have no branches, as those of half.hpp.
// Source: Micikevicius et al., FP8 formats for deep learning, 2022; JAX's jnp.float8_e4m3fn and jnp.float8_e5m2.

#include <tessera/aval/half.hpp>

namespace tessera {

namespace detail {

// A float of 8 bits with so many bits of mantissa; its numbers of the largest exponent are finite but for one NaN, or
// infinity and NaNs.
template <int Mantissa, bool Finite>
struct format_of_8_bits {
  static constexpr int bias = (1 << (6 - Mantissa)) - 1, dropped = 23 - Mantissa;
  static constexpr std::uint32_t infinite = ((1u << (7 - Mantissa)) - 1) << Mantissa;
  static constexpr std::uint32_t nan = Finite ? 0x7fu : infinite | (1u << (Mantissa - 1));
  static constexpr std::uint32_t most = Finite ? 0x7eu : infinite - 1;
  static constexpr std::uint32_t moved = static_cast<std::uint32_t>(127 - bias) << 23;  // the exponents of float
  static constexpr std::uint32_t least_normal = moved + (1u << 23);
  // Half a unit of the last bit is added to the largest number: from there on numbers are too large. Halfway, the even
  // neighbor is the largest number itself if that is even.
  static constexpr std::uint32_t end = moved + (most << dropped) + (1u << (dropped - 1)) + (most % 2 == 0 ? 1u : 0u);
  static constexpr std::uint32_t unit = least_normal + (static_cast<std::uint32_t>(dropped) << 23);

  TESSERA_FUNCTION static constexpr std::uint8_t bits_of(float value) {
    auto const raw = std::bit_cast<std::uint32_t>(value);
    std::uint32_t const magnitude = raw & 0x7fffffffu;
    std::uint32_t const half = (1u << (dropped - 1)) - 1u;
    std::uint32_t const normal = (magnitude - moved + half + ((magnitude >> dropped) & 1u)) >> dropped;
    // Of a number below the least normal one, the last bits of a float whose unit is theirs, to which it is added.
    float const added = std::bit_cast<float>(magnitude < least_normal ? magnitude : 0u) + std::bit_cast<float>(unit);
    std::uint32_t const subnormal = std::bit_cast<std::uint32_t>(added) - unit;
    std::uint32_t const finite = magnitude < least_normal ? subnormal : normal;
    std::uint32_t const special = Finite || magnitude > 0x7f800000u ? nan : infinite;
    return static_cast<std::uint8_t>(((raw >> 24) & 0x80u) | (magnitude >= end ? special : finite));
  }
  TESSERA_FUNCTION static constexpr float value_of(std::uint8_t bits) {
    std::uint32_t const sign = std::uint32_t{bits & 0x80u} << 24;
    std::uint32_t const magnitude = bits & 0x7fu, shifted = magnitude << dropped;
    float const subnormal =
        std::bit_cast<float>((shifted < (1u << 23) ? shifted : 0u) + least_normal) - std::bit_cast<float>(least_normal);
    bool const special = Finite ? magnitude == nan : magnitude >= infinite;
    std::uint32_t const other = special ? 0x7f800000u | shifted : shifted + moved;
    return std::bit_cast<float>(sign | (shifted < (1u << 23) ? std::bit_cast<std::uint32_t>(subnormal) : other));
  }
};

template <int Mantissa, bool Finite>
struct float_of_8_bits {
  using format = format_of_8_bits<Mantissa, Finite>;
  std::uint8_t bits = 0;
  float_of_8_bits() = default;
  TESSERA_FUNCTION constexpr explicit float_of_8_bits(float value) : bits(format::bits_of(value)) {}
  template <std::same_as<double> Number>
  TESSERA_FUNCTION constexpr explicit float_of_8_bits(Number value) : float_of_8_bits(toward_odd(value)) {}
  TESSERA_FUNCTION constexpr operator float() const { return format::value_of(bits); }
};

}  // namespace detail

struct float8_e4m3fn : detail::float_of_8_bits<3, true> {
  using float_of_8_bits::float_of_8_bits;
};
struct float8_e5m2 : detail::float_of_8_bits<2, false> {
  using float_of_8_bits::float_of_8_bits;
};

namespace detail {
// The limits of a float of 8 bits with so many of mantissa, the leading one included, and this largest exponent of 2.
template <class T, int Digits, int MostExponent, bool Finite>
struct limits_of_float8 : std::numeric_limits<float> {
  using format = typename T::format;
  static constexpr int digits = Digits, digits10 = 0, max_digits10 = Digits * 30103 / 100000 + 2;
  static constexpr int max_exponent = MostExponent, min_exponent = 2 - format::bias;
  static constexpr int max_exponent10 = (MostExponent - 1) * 30103 / 100000,
                       min_exponent10 = -((format::bias - 1) * 30103 / 100000);
  static constexpr bool has_infinity = !Finite, has_signaling_NaN = !Finite, is_iec559 = !Finite;
  static constexpr T min() { return float_of_bits<T>(1u << (Digits - 1)); }
  static constexpr T max() { return float_of_bits<T>(format::most); }
  static constexpr T lowest() { return float_of_bits<T>(0x80u | format::most); }
  static constexpr T epsilon() { return T(1.0f / (1 << (Digits - 1))); }
  static constexpr T round_error() { return T(0.5f); }
  static constexpr T infinity() { return float_of_bits<T>(Finite ? 0u : format::infinite); }
  static constexpr T quiet_NaN() { return float_of_bits<T>(format::nan); }
  static constexpr T signaling_NaN() { return float_of_bits<T>(Finite ? 0u : format::infinite | 1u); }
  static constexpr T denorm_min() { return float_of_bits<T>(1u); }
};
}  // namespace detail

}  // namespace tessera

template <>
struct std::numeric_limits<tessera::float8_e4m3fn>
    : tessera::detail::limits_of_float8<tessera::float8_e4m3fn, 4, 9, true> {};
template <>
struct std::numeric_limits<tessera::float8_e5m2>
    : tessera::detail::limits_of_float8<tessera::float8_e5m2, 3, 16, false> {};
