// SPDX-License-Identifier: Apache-2.0
#pragma once
// What elementary functions of float are made of: polynomials, powers of two, signs and choices without a branch.

#include <tessera/base/config.hpp>

#include <bit>
#include <cstdint>

namespace tessera::math {
namespace detail {

// x * y + z, rounded once where the machine has an instruction for it.
TESSERA_FUNCTION inline float multiply_add(float x, float y, float z) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(x, y, z);
#else
  return x * y + z;
#endif
}

// c0 + c1 x + c2 x^2 + ... from pairs and pairs of pairs: a short chain of dependent operations.
TESSERA_FUNCTION inline float polynomial(float, float c0) { return c0; }
TESSERA_FUNCTION inline float polynomial(float x, float c0, float c1) { return multiply_add(c1, x, c0); }
TESSERA_FUNCTION inline float polynomial(float x, float c0, float c1, float c2) {
  return multiply_add(c2, x * x, polynomial(x, c0, c1));
}
TESSERA_FUNCTION inline float polynomial(float x, float c0, float c1, float c2, float c3) {
  return multiply_add(polynomial(x, c2, c3), x * x, polynomial(x, c0, c1));
}
template <class... C>
TESSERA_FUNCTION inline float polynomial(float x, float c0, float c1, float c2, float c3, C... c4) {
  float const square = x * x;
  return multiply_add(polynomial(x, c4...), square * square, polynomial(x, c0, c1, c2, c3));
}

// x = n ln 2 + r, n whole; |r| <= ln 2 / 2 unless n was held back. law: n ln2_high is exact for |n| < 2^9
struct halved {
  float n, r;
};
// 1.5 2^23: adding it rounds to a whole number, which is then in the lowest bits.
inline constexpr float rounder = 12582912.0f;
// n plus `shift`'s distance from `rounder` is in the lowest bits of the result.
TESSERA_FUNCTION inline float halvings(float x, float shift) { return multiply_add(x, 1.44269504f, shift); }
TESSERA_FUNCTION inline halved reduce_by_ln2(float x, float n) {
  return {n, multiply_add(n, 2.12194440e-4f, multiply_add(n, -0.693359375f, x))};
}
// 2^m for the m + 127 that is in the lowest bits of `shifted`: 0 <= m + 127 <= 255, the last of which is infinity
TESSERA_FUNCTION inline float power_of_two(float shifted) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(shifted) << 23);
}
// The same of the difference of two.
TESSERA_FUNCTION inline float power_of_two(float shifted, float less) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(less)) << 23);
}

// a where `chosen`, else b. By masks: compilers make many selections, one for each use, of a conditional constant.
TESSERA_FUNCTION inline float select(bool chosen, float a, float b) {
  std::uint32_t const mask = 0u - static_cast<std::uint32_t>(chosen);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(a) & mask) | (std::bit_cast<std::uint32_t>(b) & ~mask));
}
TESSERA_FUNCTION inline float size_of(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu);
}
// x, but not over `high`, which is positive; x, but not under `low`, which is negative. What becomes of NaN is open.
// Each in the form that its compiler makes one instruction of. Positive floats are in the order of their bits as whole
// numbers; of negative ones, that of fewer bits is nearer to 0.
#if defined(__clang__)
TESSERA_FUNCTION inline float at_most(float x, float high) { return high < x ? high : x; }
TESSERA_FUNCTION inline float at_least(float x, float low) { return low > x ? low : x; }
#else
TESSERA_FUNCTION inline float at_most(float x, float high) {
  auto const bits = std::bit_cast<std::int32_t>(x), most = std::bit_cast<std::int32_t>(high);
  return std::bit_cast<float>(bits < most ? bits : most);
}
TESSERA_FUNCTION inline float at_least(float x, float low) {
  auto const bits = std::bit_cast<std::uint32_t>(x), most = std::bit_cast<std::uint32_t>(low);
  return std::bit_cast<float>(bits < most ? bits : most);
}
#endif
// y, or NaN where x is
TESSERA_FUNCTION inline float nan_of(float x, float y) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) | (0u - static_cast<std::uint32_t>(x != x)));
}
// |x| with the sign of `sign`
TESSERA_FUNCTION inline float with_sign(float x, float sign) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) | (std::bit_cast<std::uint32_t>(sign) & 0x80000000u));
}

// c0 + c1 x + ... + c4 x^4
TESSERA_FUNCTION inline float quartic(float x, float square, float c0, float c1, float c2, float c3, float c4) {
  float const high = multiply_add(square, c4, multiply_add(x, c3, c2));
  return multiply_add(high, square, multiply_add(x, c1, c0));
}

}  // namespace detail
}  // namespace tessera::math
