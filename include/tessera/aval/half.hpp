// SPDX-License-Identifier: Apache-2.0
#pragma once
// float16 and bfloat16 as storage: loaded into float, computed in float, rounded to nearest even when stored. A double
// becomes a float16 in one rounding, a bfloat16 by way of float, as in XLA. std::numeric_limits has both (jnp.finfo).
// Conversions have no branches, so that loops over them become vector code.

#include <tessera/base/config.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace tessera {

namespace detail {
// The float next to x toward zero, its last bit set where that is not x: what is rounded to fewer digits from there is
// rounded once. Source: Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008.
TESSERA_FUNCTION constexpr float toward_odd(double x) {
  constexpr std::uint64_t rest = (std::uint64_t{1} << 29) - 1;
  auto const bits = std::bit_cast<std::uint64_t>(x);
  return static_cast<float>(std::bit_cast<double>((bits | ((bits & rest) + rest)) & ~rest));
}
}  // namespace detail

struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  TESSERA_FUNCTION constexpr explicit bfloat16(float value) {
    auto const raw = std::bit_cast<std::uint32_t>(value);
    std::uint32_t const rounded = (raw + 0x7fffu + ((raw >> 16) & 1u)) >> 16;
    std::uint32_t const quiet = (raw >> 16) | 0x40u;  // a NaN stays one
    bits = static_cast<std::uint16_t>((raw & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  }
  TESSERA_FUNCTION constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

struct float16 {
  std::uint16_t bits = 0;
  float16() = default;
  TESSERA_FUNCTION constexpr explicit float16(float value) {
    auto const raw = std::bit_cast<std::uint32_t>(value);
    std::uint32_t const magnitude = raw & 0x7fffffffu;
    std::uint32_t const normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    // Of a number below 2^-14, units of 2^-24: those of the last bit of 0.5, to which it is added.
    float const moved = std::bit_cast<float>(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f;
    std::uint32_t const subnormal = std::bit_cast<std::uint32_t>(moved) - 0x3f000000u;
    std::uint32_t const finite = magnitude < 0x38800000u ? subnormal : normal;
    std::uint32_t const nan = ((raw >> 13) & 0x3ffu) | 0x7e00u;
    std::uint32_t const special = magnitude > 0x7f800000u ? nan : 0x7c00u;  // 65520 and more round to infinity
    bits = static_cast<std::uint16_t>(((raw >> 16) & 0x8000u) | (magnitude >= 0x477ff000u ? special : finite));
  }
  template <std::same_as<double> Number>
  TESSERA_FUNCTION constexpr explicit float16(Number value) : float16(detail::toward_odd(value)) {}
  TESSERA_FUNCTION constexpr operator float() const {
    std::uint32_t const sign = std::uint32_t{bits & 0x8000u} << 16;
    std::uint32_t const shifted = std::uint32_t{bits & 0x7fffu} << 13, exponent = shifted & 0x0f800000u;
    float const subnormal = std::bit_cast<float>((exponent == 0 ? shifted : 0u) + 0x38800000u) - 0x1p-14f;
    std::uint32_t const quiet = shifted > 0x0f800000u ? 0x400000u : 0u;  // a NaN becomes a quiet one, as by processors
    std::uint32_t const other = (shifted | quiet) + (exponent == 0x0f800000u ? 0x70000000u : 0x38000000u);
    return std::bit_cast<float>(sign | (exponent == 0 ? std::bit_cast<std::uint32_t>(subnormal) : other));
  }
};

namespace detail {
// The number of a type of 8 or 16 bits that has these.
template <class T>
constexpr T float_of_bits(std::uint32_t bits) {
  T x{};
  x.bits = static_cast<decltype(x.bits)>(bits);
  return x;
}
// The limits of a float of 16 bits with so many of mantissa, the leading one included, and this largest exponent of 2.
template <class T, int Digits, int MostExponent>
struct limits_of_half : std::numeric_limits<float> {
  static constexpr int digits = Digits, digits10 = (Digits - 1) * 30103 / 100000,
                       max_digits10 = Digits * 30103 / 100000 + 2;
  static constexpr int max_exponent = MostExponent, min_exponent = 3 - MostExponent;
  static constexpr int max_exponent10 = MostExponent * 30103 / 100000,
                       min_exponent10 = -((MostExponent - 2) * 30103 / 100000);
  static constexpr T min() { return float_of_bits<T>(1 << (Digits - 1)); }
  static constexpr T max() { return float_of_bits<T>(infinite - 1); }
  static constexpr T lowest() { return float_of_bits<T>(0x8000 | (infinite - 1)); }
  static constexpr T epsilon() { return float_of_bits<T>((MostExponent - Digits) << (Digits - 1)); }
  static constexpr T round_error() { return float_of_bits<T>((MostExponent - 2) << (Digits - 1)); }
  static constexpr T infinity() { return float_of_bits<T>(infinite); }
  static constexpr T quiet_NaN() { return float_of_bits<T>(infinite | (1 << (Digits - 2))); }
  static constexpr T signaling_NaN() { return float_of_bits<T>(infinite | (1 << (Digits - 3))); }
  static constexpr T denorm_min() { return float_of_bits<T>(1); }

private:
  static constexpr int infinite = (2 * MostExponent - 1) << (Digits - 1);
};
}  // namespace detail

}  // namespace tessera

template <>
struct std::numeric_limits<tessera::bfloat16> : tessera::detail::limits_of_half<tessera::bfloat16, 8, 128> {};
template <>
struct std::numeric_limits<tessera::float16> : tessera::detail::limits_of_half<tessera::float16, 11, 16> {};
