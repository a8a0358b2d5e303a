// SPDX-License-Identifier: Apache-2.0
#pragma once
// A register of floats from 16-bit floats in memory, and back, by the processor's conversions. g++ 12 uses none of them:
// its float16 takes 60 instructions, and loops of 16-bit elements two registers at a time. Results are those of
// aval/half.hpp, bit for bit.

#include <tessera/aval/half.hpp>
#include <tessera/base/vector.hpp>

#include <concepts>
#include <cstring>

namespace tessera::detail {

#if defined(TESSERA_WITHOUT_VECTORS) || !defined(__F16C__)
template <class T>
inline constexpr bool has_half_lanes = false;
template <int Count, class T>
void widen_lanes(float* to, T const* from);
template <int Count, class T>
void narrow_lanes(T* to, float const* from);
#else

using float_lanes = vector_of<float>::type;
typedef short half_lanes __attribute__((vector_size(sizeof(float_lanes) / 2)));
template <class T>
struct half_conversion;

template <>
struct half_conversion<float16> {
#if defined(__clang__)
  typedef _Float16 numbers __attribute__((vector_size(sizeof(half_lanes))));
  TESSERA_INLINE static float_lanes widen(half_lanes bits) {
    return __builtin_convertvector(std::bit_cast<numbers>(bits), float_lanes);
  }
  TESSERA_INLINE static half_lanes narrow(float_lanes x) {
    return std::bit_cast<half_lanes>(__builtin_convertvector(x, numbers));
  }
#elif defined(__AVX512F__)
  TESSERA_INLINE static float_lanes widen(half_lanes bits) {
    return __builtin_ia32_vcvtph2ps512_mask(bits, float_lanes{}, static_cast<short>(-1), 4);
  }
  TESSERA_INLINE static half_lanes narrow(float_lanes x) {
    return __builtin_ia32_vcvtps2ph512_mask(x, 8, half_lanes{}, static_cast<short>(-1));
  }
#else
  TESSERA_INLINE static float_lanes widen(half_lanes bits) { return __builtin_ia32_vcvtph2ps256(bits); }
  TESSERA_INLINE static half_lanes narrow(float_lanes x) { return __builtin_ia32_vcvtps2ph256(x, 8); }
#endif
};

#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
template <>
struct half_conversion<bfloat16> {
  typedef int integers __attribute__((vector_size(64)));
  typedef unsigned words __attribute__((vector_size(64)));
  static constexpr short all = -1;
  TESSERA_INLINE static float_lanes widen(half_lanes bits) {
    auto const wide = reinterpret_cast<words>(__builtin_ia32_pmovzxwd512_mask(bits, integers{}, all));
    return reinterpret_cast<float_lanes>(wide << 16);
  }
  TESSERA_INLINE static half_lanes rounded(float_lanes x) {
    auto const raw = reinterpret_cast<words>(x);
    words const up = raw + (((raw >> 16) & 1) + 0x7fff);
    auto const nan = __builtin_ia32_cmpps512_mask(x, x, 3, all, 4);
    auto const kept = reinterpret_cast<words>(__builtin_ia32_pord512_mask(
        reinterpret_cast<integers>(raw), integers{} + 0x400000, reinterpret_cast<integers>(up), nan));
    return __builtin_ia32_pmovdw512_mask(reinterpret_cast<integers>(kept >> 16), half_lanes{}, all);
  }
#if defined(__AVX512BF16__)
  // The instruction makes numbers below the smallest normal one 0.
  TESSERA_INLINE static half_lanes narrow(float_lanes x) {
    if (__builtin_expect(__builtin_ia32_fpclassps512_mask(x, 0x20, all) != 0, false)) return rounded(x);
    half_lanes bits;
    asm("vcvtneps2bf16 %1, %0" : "=v"(bits) : "v"(x));
    return bits;
  }
#else
  TESSERA_INLINE static half_lanes narrow(float_lanes x) { return rounded(x); }
#endif
};
#endif

template <class T>
inline constexpr bool has_half_lanes = requires {
  sizeof(half_conversion<T>);
};

// Count elements, one after the other: a multiple of what a register has.
template <int Count, class T>
TESSERA_INLINE void widen_lanes(float* to, T const* from) {
  TESSERA_UNROLL
  for (int i = 0; i < Count; i += vector_lanes<float_lanes>) {
    half_lanes bits;
    std::memcpy(&bits, from + i, sizeof bits);
    float_lanes const x = half_conversion<T>::widen(bits);
    std::memcpy(to + i, &x, sizeof x);
  }
}
template <int Count, class T>
TESSERA_INLINE void narrow_lanes(T* to, float const* from) {
  TESSERA_UNROLL
  for (int i = 0; i < Count; i += vector_lanes<float_lanes>) {
    float_lanes x;
    std::memcpy(&x, from + i, sizeof x);
    half_lanes const bits = half_conversion<T>::narrow(x);
    std::memcpy(static_cast<void*>(to + i), &bits, sizeof bits);
  }
}
#endif

}  // namespace tessera::detail
