// SPDX-License-Identifier: Apache-2.0
#pragma once
// The 512-bit operations that limits.cpp is written in. Where the machine has no AVX-512, each is a pair of 256-bit
// ones, so that the same floors can be measured there; a ratio to such a floor is of that machine only.

#include <immintrin.h>

#ifndef __AVX512F__
namespace wide {

struct vector {
  __m256 low, high;
};

inline vector load(float const* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline void store(float* p, vector v) {
  _mm256_storeu_ps(p, v.low);
  _mm256_storeu_ps(p + 8, v.high);
}
inline void stream(float* p, vector v) {
  _mm256_stream_ps(p, v.low);
  _mm256_stream_ps(p + 8, v.high);
}
inline vector all(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
inline vector add(vector a, vector b) { return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)}; }
inline vector sub(vector a, vector b) { return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)}; }
inline vector mul(vector a, vector b) { return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)}; }
inline vector div(vector a, vector b) { return {_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high)}; }
inline vector max(vector a, vector b) { return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)}; }
inline vector min(vector a, vector b) { return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)}; }
inline vector fmadd(vector a, vector b, vector c) {
  return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}
inline vector fnmadd(vector a, vector b, vector c) {
  return {_mm256_fnmadd_ps(a.low, b.low, c.low), _mm256_fnmadd_ps(a.high, b.high, c.high)};
}
// To the nearest whole number: the only rounding used.
inline vector nearest(vector a) {
  return {_mm256_round_ps(a.low, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
          _mm256_round_ps(a.high, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
inline __m256 power_of_two(__m256 exponent) {
  return _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(exponent), _mm256_set1_epi32(127)), 23));
}
// a * 2^n for whole n in [-126, 127]: what the floors' exponential needs after its clamp.
inline vector scale(vector a, vector n) {
  return {_mm256_mul_ps(a.low, power_of_two(n.low)), _mm256_mul_ps(a.high, power_of_two(n.high))};
}
inline float lanes_sum(vector v) {
  __m256 const s = _mm256_add_ps(v.low, v.high);
  __m128 q = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
  q = _mm_add_ps(q, _mm_movehl_ps(q, q));
  return _mm_cvtss_f32(_mm_add_ss(q, _mm_movehdup_ps(q)));
}
inline float lanes_max(vector v) {
  __m256 const s = _mm256_max_ps(v.low, v.high);
  __m128 q = _mm_max_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
  q = _mm_max_ps(q, _mm_movehl_ps(q, q));
  return _mm_cvtss_f32(_mm_max_ss(q, _mm_movehdup_ps(q)));
}

}  // namespace wide

#define __m512 wide::vector
#define _mm512_loadu_ps(p) wide::load(p)
#define _mm512_storeu_ps(p, v) wide::store(p, v)
#define _mm512_stream_ps(p, v) wide::stream(p, v)
#define _mm512_set1_ps(x) wide::all(x)
#define _mm512_setzero_ps() wide::all(0)
#define _mm512_add_ps(a, b) wide::add(a, b)
#define _mm512_sub_ps(a, b) wide::sub(a, b)
#define _mm512_mul_ps(a, b) wide::mul(a, b)
#define _mm512_div_ps(a, b) wide::div(a, b)
#define _mm512_max_ps(a, b) wide::max(a, b)
#define _mm512_min_ps(a, b) wide::min(a, b)
#define _mm512_fmadd_ps(a, b, c) wide::fmadd(a, b, c)
#define _mm512_fnmadd_ps(a, b, c) wide::fnmadd(a, b, c)
#define _mm512_roundscale_ps(a, zero_fraction_bits) wide::nearest(a)
#define _mm512_scalef_ps(a, n) wide::scale(a, n)
#define _mm512_reduce_add_ps(v) wide::lanes_sum(v)
#define _mm512_reduce_max_ps(v) wide::lanes_max(v)
#endif
