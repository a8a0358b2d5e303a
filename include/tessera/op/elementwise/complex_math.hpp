// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elementary functions of real and complex numbers under one name each: math::sin(x), math::pow(x, y). Real ones are
// those of base/math.hpp or of the C++ library; complex ones those of the C library, on a GPU those of Thrust, with C's
// branch cuts and signs of zeros (Annex G). exp2, log2, log10, expm1, log1p, rsqrt, logistic and sign of a complex
// number follow from these; exp is one formula, without C's cases for infinities.

#include <tessera/aval/complex.hpp>
#include <tessera/base/math.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>

#if defined(__CUDACC__) || defined(__HIPCC__)
#include <thrust/complex.h>
#endif

namespace tessera::math {
namespace detail {

// The C library's complex numbers: an extension of the compilers in C++, laid out as ours.
__extension__ typedef __complex__ float c_complex64;
__extension__ typedef __complex__ double c_complex128;

}  // namespace detail

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TESSERA_COMPLEX_MATH(name)                                             \
  template <class T>                                                           \
  TESSERA_FUNCTION inline complex_number<T> name(complex_number<T> const& z) { \
    return thrust::name(thrust::complex<T>(z.re, z.im));                       \
  }
#else
#define TESSERA_COMPLEX_MATH(name)                                                                \
  inline complex64 name(complex64 const& z) {                                                     \
    return std::bit_cast<complex64>(__builtin_c##name##f(std::bit_cast<detail::c_complex64>(z))); \
  }                                                                                               \
  inline complex128 name(complex128 const& z) {                                                   \
    return std::bit_cast<complex128>(__builtin_c##name(std::bit_cast<detail::c_complex128>(z)));  \
  }
#endif
TESSERA_COMPLEX_MATH(log)
TESSERA_COMPLEX_MATH(sqrt)
TESSERA_COMPLEX_MATH(sin)
TESSERA_COMPLEX_MATH(cos)
TESSERA_COMPLEX_MATH(tan)
TESSERA_COMPLEX_MATH(asin)
TESSERA_COMPLEX_MATH(acos)
TESSERA_COMPLEX_MATH(atan)
TESSERA_COMPLEX_MATH(sinh)
TESSERA_COMPLEX_MATH(cosh)
TESSERA_COMPLEX_MATH(tanh)
TESSERA_COMPLEX_MATH(asinh)
TESSERA_COMPLEX_MATH(acosh)
TESSERA_COMPLEX_MATH(atanh)
#undef TESSERA_COMPLEX_MATH

#define TESSERA_REAL_MATH(name)         \
  template <std::floating_point T>      \
  TESSERA_FUNCTION inline T name(T x) { \
    return std::name(x);                \
  }
TESSERA_REAL_MATH(sqrt)
TESSERA_REAL_MATH(sin)
TESSERA_REAL_MATH(cos)
TESSERA_REAL_MATH(tan)
TESSERA_REAL_MATH(asin)
TESSERA_REAL_MATH(acos)
TESSERA_REAL_MATH(atan)
TESSERA_REAL_MATH(sinh)
TESSERA_REAL_MATH(cosh)
TESSERA_REAL_MATH(asinh)
TESSERA_REAL_MATH(acosh)
TESSERA_REAL_MATH(atanh)
TESSERA_REAL_MATH(exp2)
TESSERA_REAL_MATH(log2)
TESSERA_REAL_MATH(log10)
#undef TESSERA_REAL_MATH

template <class T>
TESSERA_FUNCTION inline complex_number<T> exp(complex_number<T> const& z) {
  T const size = exp(z.re);
  if (z.im == 0) return {size, z.im};  // an infinite size times 0 would be NaN
  return {size * std::cos(z.im), size * std::sin(z.im)};
}
template <class T>
TESSERA_FUNCTION inline complex_number<T> exp2(complex_number<T> const& z) {
  constexpr T ln2 = std::numbers::ln2_v<T>;
  return exp(complex_number<T>(z.re * ln2, z.im * ln2));
}
template <class T>
TESSERA_FUNCTION inline complex_number<T> log2(complex_number<T> const& z) {
  complex_number<T> const y = log(z);
  return {y.re / std::numbers::ln2_v<T>, y.im / std::numbers::ln2_v<T>};
}
template <class T>
TESSERA_FUNCTION inline complex_number<T> log10(complex_number<T> const& z) {
  complex_number<T> const y = log(z);
  return {y.re / std::numbers::ln10_v<T>, y.im / std::numbers::ln10_v<T>};
}
// (e^x cos y - 1) + i e^x sin y, with cos y = 1 - 2 sin^2(y / 2).
template <class T>
TESSERA_FUNCTION inline complex_number<T> expm1(complex_number<T> const& z) {
  T const less_1 = std::expm1(z.re), half = std::sin(z.im / 2);
  return {less_1 * std::cos(z.im) - 2 * half * half, (less_1 + 1) * std::sin(z.im)};
}
// log |1 + z|: of small z by |1 + z|^2 - 1 = x (2 + x) + y^2.
template <class T>
TESSERA_FUNCTION inline complex_number<T> log1p(complex_number<T> const& z) {
  T const x = z.re + 1;
  bool const small = std::abs(z.re) < T(0.5) && std::abs(z.im) < T(0.5);
  T const size = small ? std::log1p(z.re * (z.re + 2) + z.im * z.im) / 2 : std::log(std::hypot(x, z.im));
  return {size, std::atan2(z.im, x)};
}
template <class T>
TESSERA_FUNCTION inline complex_number<T> logistic(complex_number<T> const& z) {
  return complex_number<T>(1) / (complex_number<T>(1) + exp(-z));
}
template <class T>
TESSERA_FUNCTION inline T rsqrt(T const& x) {
  return T(1) / sqrt(x);
}
// z / |z|, 0 at 0.
template <class T>
TESSERA_FUNCTION inline complex_number<T> sign(complex_number<T> const& z) {
  T const size = std::hypot(z.re, z.im);
  return size == 0 ? complex_number<T>() : complex_number<T>(z.re / size, z.im / size);
}

template <std::floating_point T>
TESSERA_FUNCTION inline T pow(T x, T y) {
  return std::pow(x, y);
}
// 1 where y is 0. Of 0: 0 if the real part of y is above 0, else NaN; JAX's is NaN for every y that is not real, too.
template <class T>
TESSERA_FUNCTION inline complex_number<T> pow(complex_number<T> const& x, complex_number<T> const& y) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  if (y == complex_number<T>()) return T(1);
  if (x == complex_number<T>()) return y.re > 0 ? complex_number<T>() : complex_number<T>(nan, nan);
  return exp(y * log(x));
}

}  // namespace tessera::math
