// SPDX-License-Identifier: Apache-2.0
#pragma once
// As many numbers as a register holds, with arithmetic element by element; one where the compiler has no such types.

#include <tessera/base/config.hpp>

#include <utility>

namespace tessera::detail {

template <class T>
struct vector_of;
template <>
struct vector_of<float> {
  typedef float type TESSERA_VECTOR;
};
template <>
struct vector_of<double> {
  typedef double type TESSERA_VECTOR;
};

template <class V>
inline constexpr int vector_lanes = sizeof(V) / sizeof(V{}[0]);

#if defined(TESSERA_WITHOUT_VECTORS)
template <class V>
TESSERA_INLINE void transpose_square(V*) {}
#else
// a0 b0 a1 b1 ... of the first half of both, or of the second.
template <bool Second, class V, std::size_t... I>
TESSERA_INLINE V interleaved(V a, V b, std::index_sequence<I...>) {
  constexpr int n = sizeof...(I), from = Second ? n / 2 : 0;
  return __builtin_shufflevector(a, b, (static_cast<int>(I) % 2 * n + from + static_cast<int>(I) / 2)...);
}
// rows[i][j] and rows[j][i] change places, of as many rows as a vector has elements.
template <class V>
TESSERA_INLINE void transpose_square(V* rows) {
  constexpr int n = vector_lanes<V>;
  constexpr auto all = std::make_index_sequence<n>{};
  TESSERA_UNROLL
  for (int done = 1; done < n; done *= 2) {
    V made[n];
    TESSERA_UNROLL
    for (int i = 0; i < n / 2; ++i) {
      made[2 * i] = interleaved<false>(rows[i], rows[i + n / 2], all);
      made[2 * i + 1] = interleaved<true>(rows[i], rows[i + n / 2], all);
    }
    TESSERA_UNROLL
    for (int i = 0; i < n; ++i) rows[i] = made[i];
  }
}
#endif

// A product and a sum of vectors, rounded once.
#if defined(TESSERA_WITHOUT_VECTORS) || !defined(__FMA__) || !defined(__AVX2__)
inline constexpr bool fuses_vectors = false;
template <class V>
TESSERA_INLINE V multiply_add(V x, V y, V z) {
  return x * y + z;
}
#else
inline constexpr bool fuses_vectors = true;
#if defined(__clang__)
template <class V>
TESSERA_INLINE V multiply_add(V x, V y, V z) {
  return __builtin_elementwise_fma(x, y, z);
}
#elif defined(__AVX512F__)
TESSERA_INLINE vector_of<float>::type multiply_add(vector_of<float>::type x, vector_of<float>::type y,
                                                   vector_of<float>::type z) {
  return __builtin_ia32_vfmaddps512_mask(x, y, z, static_cast<unsigned short>(-1), 4);
}
TESSERA_INLINE vector_of<double>::type multiply_add(vector_of<double>::type x, vector_of<double>::type y,
                                                    vector_of<double>::type z) {
  return __builtin_ia32_vfmaddpd512_mask(x, y, z, static_cast<unsigned char>(-1), 4);
}
#else
TESSERA_INLINE vector_of<float>::type multiply_add(vector_of<float>::type x, vector_of<float>::type y,
                                                   vector_of<float>::type z) {
  return __builtin_ia32_vfmaddps256(x, y, z);
}
TESSERA_INLINE vector_of<double>::type multiply_add(vector_of<double>::type x, vector_of<double>::type y,
                                                    vector_of<double>::type z) {
  return __builtin_ia32_vfmaddpd256(x, y, z);
}
#endif
#endif

}  // namespace tessera::detail
