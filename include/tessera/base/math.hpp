// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elementary functions of float as straight-line code: no branch, call or table, so that loops over them become vector
// instructions on every compiler. Bounds over all floats, against the correctly rounded result, tested by
// tests/base/math_test.cpp: 1.1 units in the last place for exp, 1 for log, 1.5 for log1p, 1.7 for expm1, 2.5 for tanh, logistic and
// erf. NaN, infinities, signed zeros, overflow and subnormal results are as in the C++ library, which other types and
// device code use; only logistic's subnormal results are 0.
// The polynomials are our own least-squares fits, reweighted towards minimax (tests/base/fit_polynomials.py).

#include <tessera/base/config.hpp>
#include <tessera/base/float_parts.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tessera::math {
namespace detail {

// e^r - 1, |r| <= 0.347: error 3.1e-9 of e^r. Positive for any greater r.
TESSERA_FUNCTION inline float beyond_1(float r) {
  float const square = r * r;
  return multiply_add(square,
                      quartic(r, square, 0.49999994f, 0.166665196f, 0.0416683927f, 0.00836878084f, 0.00138144649f), r);
}
// -87 <= x <= 88
TESSERA_FUNCTION inline float exp_within(float x) {
  float const shifted = halvings(x, rounder + 127.0f);
  halved const h = reduce_by_ln2(x, shifted - (rounder + 127.0f));
  float const power = power_of_two(shifted);
  return multiply_add(beyond_1(h.r), power, power);
}
// Below -104 the result is 0, from a factor 0: a product of this size would take a processor 20 times as long. Above 89, n stays
// 128 and r grows: infinity. In two steps, or the range would lose its ends.
TESSERA_FUNCTION inline float exp(float x) {
  float const in = at_least(x, -104.0f);
  float const shifted = at_most(halvings(in, rounder + 254.0f), rounder + (254.0f + 128.0f));
  halved const h = reduce_by_ln2(in, shifted - (rounder + 254.0f));
  float const half = multiply_add(h.n, 0.5f, rounder + 127.0f);
  float const first = power_of_two(half);
  float const second = select(x < -104.0f, 0.0f, power_of_two(shifted, half));
  return nan_of(x, multiply_add(beyond_1(h.r), first, first) * second);
}

// -30 <= x <= 88; +0 at both zeros. Above that, n stays 128 and r grows: infinity.
TESSERA_FUNCTION inline float expm1_within(float x) {
  float const shifted = at_most(halvings(x, rounder + 126.0f), rounder + (126.0f + 128.0f));
  halved const h = reduce_by_ln2(x, shifted - (rounder + 126.0f));
  float const square = h.r * h.r;
  // |r| <= 0.347: error 2.4e-10 of e^r - 1
  float const q = polynomial(h.r, 0.5f, 0.1666666567f, 0.0416663587f, 0.00833338965f, 0.00139407208f, 0.000198458845f);
  float const y = multiply_add(square, q, h.r);
  float const scale = power_of_two(shifted);  // 2^n / 2
  return 2.0f * multiply_add(scale, y, scale - 0.5f);
}
TESSERA_FUNCTION inline float expm1(float x) {
  return nan_of(x, select(x == 0.0f, x, expm1_within(at_least(x, -30.0f))));
}

TESSERA_FUNCTION inline float log(float x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  bool const tiny = x < 1.17549435e-38f;  // subnormal
  float const in = select(tiny, x * 8388608.0f, x);
  std::uint32_t const bits = std::bit_cast<std::uint32_t>(in) + (0x3f800000u - 0x3f3504f3u);
  float const e =
      static_cast<float>(static_cast<std::int32_t>(bits >> 23) - (127 + (static_cast<std::int32_t>(tiny) * 23)));
  float const f = std::bit_cast<float>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0f;  // in = (1 + f) 2^e
  // sqrt(1/2) - 1 <= f <= sqrt(2) - 1: error 7.5e-10 of log(1 + f)
  float const q = polynomial(f, 0.333333135f, -0.250000089f, 0.200021267f, -0.166680008f, 0.142193869f, -0.12405365f,
                             0.11889255f, -0.116776414f, 0.0674657971f);
  float const square = f * f;
  float low = multiply_add(square * f, q, e * -2.12194440e-4f);
  low = multiply_add(square, -0.5f, low);
  float const y = multiply_add(e, 0.693359375f, f + low);
  float const special = select(x == 0.0f, -infinity, select(x < 0.0f, std::numeric_limits<float>::quiet_NaN(), y));
  return select(x < infinity, special, x);  // infinity and NaN
}

TESSERA_FUNCTION inline float log1p(float x) {
  float const u = 1.0f + x;
  float const lost = select(u >= 2.0f, 1.0f - (u - x), x - (u - 1.0f));  // u + lost = 1 + x
  float const whole = log(u);
  float const y = whole + lost / u;
  float const near = select(x * x < 1e-14f, x, y);  // and both zeros
  return select((u > 0.0f) & (u < std::numeric_limits<float>::infinity()), near, whole);
}

TESSERA_FUNCTION inline float tanh(float x) {
  float const t = expm1_within(2.0f * at_most(size_of(x), 10.0f));
  return nan_of(x, with_sign(t / (t + 2.0f), x));
}

// 1 / (1 + e^-x). Below -89, n stays 128: 2^n is infinity.
TESSERA_FUNCTION inline float logistic(float x) {
  float const in = at_most(x, 87.0f);
  float const shifted = at_most(multiply_add(in, -1.44269504f, rounder + 127.0f), rounder + (127.0f + 128.0f));
  halved const h = reduce_by_ln2(-in, shifted - (rounder + 127.0f));
  float const power = power_of_two(shifted);
  return nan_of(x, 1.0f / multiply_add(1.0f + beyond_1(h.r), power, 1.0f));
}

TESSERA_FUNCTION inline float erf(float x) {
  float const a = at_most(size_of(x), 4.0f);
  float const z = a * a;
  // |x| <= 0.95: error 6.1e-10 of erf
  float const near = multiply_add(x,
                                  polynomial(z, 0.128379226f, -0.376126319f, 0.112836637f, -0.0268577058f,
                                             0.0051969518f, -0.000809770252f, 8.1850907e-05f),
                                  x);
  // log(1 - erf), 0.92 <= a <= 4: error 4.6e-11 of erf
  float const far = 1.0f - exp_within(polynomial(a, 0.00017468443f, -1.12951493f, -0.633346915f, -0.108280092f,
                                                 0.0251194276f, -0.00417106319f, 0.000434462621f, -2.10951051e-05f));
  return nan_of(x, select(a < 0.94f, near, with_sign(far, x)));
}

}  // namespace detail

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_MATH(name, own, library) \
  template <class T>                     \
  TESSERA_FUNCTION inline T name(T x) {  \
    return library;                      \
  }
#else
#define TESSERA_MATH(name, own, library)    \
  template <class T>                        \
  TESSERA_FUNCTION inline T name(T x) {     \
    if constexpr (std::is_same_v<T, float>) \
      return detail::own(x);                \
    else                                    \
      return library;                       \
  }
#endif
TESSERA_MATH(exp, exp, std::exp(x))
TESSERA_MATH(expm1, expm1, std::expm1(x))
TESSERA_MATH(log, log, std::log(x))
TESSERA_MATH(log1p, log1p, std::log1p(x))
TESSERA_MATH(tanh, tanh, std::tanh(x))
TESSERA_MATH(erf, erf, std::erf(x))
TESSERA_MATH(logistic, logistic, T(1) / (T(1) + std::exp(-x)))
#undef TESSERA_MATH

}  // namespace tessera::math
