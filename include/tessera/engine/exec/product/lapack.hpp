// SPDX-License-Identifier: Apache-2.0
#pragma once
// LAPACK for op/linalg/linalg.hpp, from the library that has the CBLAS. The build defines TESSERA_LAPACK if it has
// LAPACK (cmake/find_cblas.cmake).

#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/op/linalg/linalg_host.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#if defined(TESSERA_LAPACK)

#if defined(TESSERA_CBLAS_PREFIX)
#define TESSERA_LAPACK_JOIN(prefix, name) prefix##name
#define TESSERA_LAPACK_NAMED(prefix, name) TESSERA_LAPACK_JOIN(prefix, name)
#define TESSERA_LAPACK_SYMBOL(name) TESSERA_LAPACK_NAMED(TESSERA_CBLAS_PREFIX, name)
#else
#define TESSERA_LAPACK_SYMBOL(name) name
#endif

namespace tessera::detail {
// Calls call(memory, its length, failed) twice: with length -1, for which LAPACK returns the length that it needs, then
// with this memory.
template <class T, class F>
int with_workspace(F const& call) {
  T wanted{};
  int most = -1, failed = 0;
  call(&wanted, &most, &failed);
  if (failed != 0) return failed;
  auto const length = real_part(wanted);
  most = static_cast<int>(std::nextafter(length, 2 * length + 1));  // float may have rounded down
  auto const memory = std::make_unique_for_overwrite<T[]>(most);
  call(memory.get(), &most, &failed);
  return failed;
}

// geev's vectors of a real matrix: those of a pair of complex eigenvalues are its columns j and j + 1, real and imaginary parts.
template <class T>
void pairs_apart(std::size_t n, complex_number<T> const* w, T const* vectors, complex_number<T>* v) {
  for (std::size_t j = 0; j < n; ++j) {
    bool const pair = w[j].im != 0 && j + 1 < n;
    for (std::size_t i = 0; i < n; ++i) {
      T const re = vectors[j * n + i], im = pair ? vectors[(j + 1) * n + i] : T(0);
      v[j * n + i] = {re, im};
      if (pair) v[(j + 1) * n + i] = {re, -im};
    }
    j += pair;
  }
}
}  // namespace tessera::detail

// What all element types have, real ones, complex ones. ROWS: the function that forms orthonormal rows.
#define TESSERA_LAPACK_OF_ALL(T, LETTER, ROWS)                                                                         \
  extern "C" {                                                                                                         \
  void TESSERA_LAPACK_SYMBOL(LETTER##potrf_)(char const*, int const*, T*, int const*, int*);                           \
  void TESSERA_LAPACK_SYMBOL(LETTER##gesv_)(int const*, int const*, T*, int const*, int*, T*, int const*, int*);       \
  void TESSERA_LAPACK_SYMBOL(LETTER##getrf_)(int const*, int const*, T*, int const*, int*, int*);                      \
  void TESSERA_LAPACK_SYMBOL(LETTER##trsm_)(char const*, char const*, char const*, char const*, int const*,            \
                                            int const*, T const*, T const*, int const*, T*, int const*);               \
  void TESSERA_LAPACK_SYMBOL(LETTER##gemm_)(char const*, char const*, int const*, int const*, int const*, T const*,    \
                                            T const*, int const*, T const*, int const*, T const*, T*, int const*);     \
  void TESSERA_LAPACK_SYMBOL(LETTER##gelqf_)(int const*, int const*, T*, int const*, T*, T*, int const*, int*);        \
  void TESSERA_LAPACK_SYMBOL(LETTER##ROWS##_)(int const*, int const*, int const*, T*, int const*, T const*, T*,        \
                                              int const*, int*);                                                       \
  }                                                                                                                    \
  namespace detail {                                                                                                   \
  inline int lapack_potrf(char triangle, int n, T* a) {                                                                \
    int failed = 0;                                                                                                    \
    TESSERA_LAPACK_SYMBOL(LETTER##potrf_)(&triangle, &n, a, &n, &failed);                                              \
    return failed;                                                                                                     \
  }                                                                                                                    \
  inline int lapack_gesv(int n, int m, T* a, int* pivots, T* b) {                                                      \
    int failed = 0;                                                                                                    \
    TESSERA_LAPACK_SYMBOL(LETTER##gesv_)(&n, &m, a, &n, pivots, b, &n, &failed);                                       \
    return failed;                                                                                                     \
  }                                                                                                                    \
  inline int lapack_getrf(int n, int m, T* a, int* pivots) {                                                           \
    int failed = 0;                                                                                                    \
    TESSERA_LAPACK_SYMBOL(LETTER##getrf_)(&n, &m, a, &n, pivots, &failed);                                             \
    return failed;                                                                                                     \
  }                                                                                                                    \
  inline int lapack_gelqf(int n, int m, T* a, int step, T* scales) {                                                   \
    return with_workspace<T>([&](T* memory, int const* most, int* failed) {                                            \
      TESSERA_LAPACK_SYMBOL(LETTER##gelqf_)(&n, &m, a, &step, scales, memory, most, failed);                           \
    });                                                                                                                \
  }                                                                                                                    \
  inline int lapack_##ROWS(int n, int m, T* a, int step, T const* scales) {                                            \
    return with_workspace<T>([&](T* memory, int const* most, int* failed) {                                            \
      TESSERA_LAPACK_SYMBOL(LETTER##ROWS##_)(&n, &m, &n, a, &step, scales, memory, most, failed);                      \
    });                                                                                                                \
  }                                                                                                                    \
  inline void blas_trsm(char side, char triangle, char transposed, char unit, int n, int m, T const* a, int a_step,    \
                        T* b, int b_step) {                                                                            \
    T const one(1);                                                                                                    \
    TESSERA_LAPACK_SYMBOL(LETTER##trsm_)(&side, &triangle, &transposed, &unit, &n, &m, &one, a, &a_step, b, &b_step);  \
  }                                                                                                                    \
  inline void blas_gemm(char turn_a, char turn_b, int n, int m, int k, T const* a, int a_step, T const* b, int b_step, \
                        T* c, int c_step) {                                                                            \
    T const one(1), minus(-1);                                                                                         \
    TESSERA_LAPACK_SYMBOL(LETTER##gemm_)                                                                               \
    (&turn_a, &turn_b, &n, &m, &k, &minus, a, &a_step, b, &b_step, &one, c, &c_step);                                  \
  }                                                                                                                    \
  }

#define TESSERA_LAPACK_OF_REAL(T, LETTER)                                                                              \
  TESSERA_LAPACK_OF_ALL(T, LETTER, orglq)                                                                              \
  extern "C" {                                                                                                         \
  void TESSERA_LAPACK_SYMBOL(LETTER##syevd_)(char const*, char const*, int const*, T*, int const*, T*, T*, int const*, \
                                             int*, int const*, int*);                                                  \
  void TESSERA_LAPACK_SYMBOL(LETTER##gesdd_)(char const*, int const*, int const*, T*, int const*, T*, T*, int const*,  \
                                             T*, int const*, T*, int const*, int*, int*);                              \
  void TESSERA_LAPACK_SYMBOL(LETTER##geev_)(char const*, char const*, int const*, T*, int const*, T*, T*, T*,          \
                                            int const*, T*, int const*, T*, int const*, int*);                         \
  }                                                                                                                    \
  namespace detail {                                                                                                   \
  inline int lapack_syevd(int n, T* a, T* w) {                                                                         \
    int failed = 0, most = 1 + 6 * n + 2 * n * n, most_whole = 3 + 5 * n;                                              \
    std::vector<T> memory(most);                                                                                       \
    std::vector<int> whole(most_whole);                                                                                \
    TESSERA_LAPACK_SYMBOL(LETTER##syevd_)                                                                              \
    ("V", "L", &n, a, &n, w, memory.data(), &most, whole.data(), &most_whole, &failed);                                \
    return failed;                                                                                                     \
  }                                                                                                                    \
  inline int lapack_gesdd(char job, int n, int m, T* a, T* s, T* u, T* vt) {                                           \
    int const least = std::min(n, m), vt_step = job == 'A' ? m : least;                                                \
    std::vector<int> whole(static_cast<std::size_t>(8 * least));                                                       \
    return with_workspace<T>([&](T* memory, int const* most, int* failed) {                                            \
      TESSERA_LAPACK_SYMBOL(LETTER##gesdd_)                                                                            \
      (&job, &n, &m, a, &n, s, u, &n, vt, &vt_step, memory, most, whole.data(), failed);                               \
    });                                                                                                                \
  }                                                                                                                    \
  inline int lapack_geev(int n, T* a, complex_number<T>* w, complex_number<T>* v) {                                    \
    int const one = 1;                                                                                                 \
    std::size_t const rows = static_cast<std::size_t>(n);                                                              \
    std::vector<T> values(2 * rows), vectors(v ? rows*rows : 0);                                                       \
    int const failed = with_workspace<T>([&](T* memory, int const* most, int* wrong) {                                 \
      TESSERA_LAPACK_SYMBOL(LETTER##geev_)                                                                             \
      ("N", v ? "V" : "N", &n, a, &n, values.data(), values.data() + rows, nullptr, &one, vectors.data(),              \
       v ? &n : &one, memory, most, wrong);                                                                            \
    });                                                                                                                \
    for (std::size_t j = 0; j < rows; ++j) w[j] = {values[j], values[rows + j]};                                       \
    if (v) pairs_apart(rows, w, vectors.data(), v);                                                                    \
    return failed;                                                                                                     \
  }                                                                                                                    \
  inline constexpr ops::linalg::lapack_functions<T> lapack_of_##T{.potrf = &lapack_potrf,                              \
                                                                  .gesv = &lapack_gesv,                                \
                                                                  .syevd = &lapack_syevd,                              \
                                                                  .getrf = &lapack_getrf,                              \
                                                                  .gelqf = &lapack_gelqf,                              \
                                                                  .orglq = &lapack_orglq,                              \
                                                                  .gesdd = &lapack_gesdd,                              \
                                                                  .geev = &lapack_geev,                                \
                                                                  .trsm = &blas_trsm,                                  \
                                                                  .gemm = &blas_gemm};                                 \
  }

#define TESSERA_LAPACK_OF_COMPLEX(T, LETTER)                                                                           \
  TESSERA_LAPACK_OF_ALL(T, LETTER, unglq)                                                                              \
  extern "C" {                                                                                                         \
  void TESSERA_LAPACK_SYMBOL(LETTER##geev_)(char const*, char const*, int const*, T*, int const*, T*, T*, int const*,  \
                                            T*, int const*, T*, int const*, T::value_type*, int*);                     \
  void TESSERA_LAPACK_SYMBOL(LETTER##gesdd_)(char const*, int const*, int const*, T*, int const*, T::value_type*, T*,  \
                                             int const*, T*, int const*, T*, int const*, T::value_type*, int*, int*);  \
  void TESSERA_LAPACK_SYMBOL(LETTER##heevd_)(char const*, char const*, int const*, T*, int const*, T::value_type*, T*, \
                                             int const*, T::value_type*, int const*, int*, int const*, int*);          \
  void TESSERA_LAPACK_SYMBOL(LETTER##gees_)(char const*, char const*, int (*)(T const*), int const*, T*, int const*,   \
                                            int*, T*, T*, int const*, T*, int const*, T::value_type*, int*, int*);     \
  }                                                                                                                    \
  namespace detail {                                                                                                   \
  inline int lapack_geev(int n, T* a, T* w, T* v) {                                                                    \
    int const one = 1;                                                                                                 \
    std::vector<T::value_type> more(2 * static_cast<std::size_t>(n));                                                  \
    return with_workspace<T>([&](T* memory, int const* most, int* failed) {                                            \
      TESSERA_LAPACK_SYMBOL(LETTER##geev_)                                                                             \
      ("N", v ? "V" : "N", &n, a, &n, w, nullptr, &one, v, v ? &n : &one, memory, most, more.data(), failed);          \
    });                                                                                                                \
  }                                                                                                                    \
  inline int lapack_gesdd(char job, int n, int m, T* a, T::value_type* s, T* u, T* vt) {                               \
    int const least = std::min(n, m), vt_step = job == 'A' ? m : least;                                                \
    std::size_t const k = static_cast<std::size_t>(least), l = static_cast<std::size_t>(std::max(n, m));               \
    std::vector<T::value_type> more(job == 'N' ? 7 * k : std::max(5 * k + 7, 2 * l + 2 * k + 1) * k);                  \
    std::vector<int> whole(8 * k);                                                                                     \
    return with_workspace<T>([&](T* memory, int const* most, int* failed) {                                            \
      TESSERA_LAPACK_SYMBOL(LETTER##gesdd_)                                                                            \
      (&job, &n, &m, a, &n, s, u, &n, vt, &vt_step, memory, most, more.data(), whole.data(), failed);                  \
    });                                                                                                                \
  }                                                                                                                    \
  inline int lapack_heevd(int n, T* a, T::value_type* w) {                                                             \
    int failed = 0, most = 2 * n + n * n, most_real = 1 + 5 * n + 2 * n * n, most_whole = 3 + 5 * n;                   \
    std::vector<T> memory(most);                                                                                       \
    std::vector<T::value_type> real(most_real);                                                                        \
    std::vector<int> whole(most_whole);                                                                                \
    TESSERA_LAPACK_SYMBOL(LETTER##heevd_)                                                                              \
    ("V", "L", &n, a, &n, w, memory.data(), &most, real.data(), &most_real, whole.data(), &most_whole, &failed);       \
    return failed;                                                                                                     \
  }                                                                                                                    \
  inline int lapack_gees(int n, T* a, T* q) {                                                                          \
    int chosen = 0;                                                                                                    \
    std::vector<T> values(static_cast<std::size_t>(n));                                                                \
    std::vector<T::value_type> more(static_cast<std::size_t>(n));                                                      \
    return with_workspace<T>([&](T* memory, int const* most, int* failed) {                                            \
      TESSERA_LAPACK_SYMBOL(LETTER##gees_)                                                                             \
      ("V", "N", nullptr, &n, a, &n, &chosen, values.data(), q, &n, memory, most, more.data(), nullptr, failed);       \
    });                                                                                                                \
  }                                                                                                                    \
  inline constexpr ops::linalg::lapack_functions<T> lapack_of_##T{.potrf = &lapack_potrf,                              \
                                                                  .gesv = &lapack_gesv,                                \
                                                                  .syevd = &lapack_heevd,                              \
                                                                  .getrf = &lapack_getrf,                              \
                                                                  .gelqf = &lapack_gelqf,                              \
                                                                  .orglq = &lapack_unglq,                              \
                                                                  .gesdd = &lapack_gesdd,                              \
                                                                  .geev = &lapack_geev,                                \
                                                                  .gees = &lapack_gees,                                \
                                                                  .trsm = &blas_trsm,                                  \
                                                                  .gemm = &blas_gemm};                                 \
  }

namespace tessera {
TESSERA_LAPACK_OF_REAL(float, s)
TESSERA_LAPACK_OF_REAL(double, d)
TESSERA_LAPACK_OF_COMPLEX(complex64, c)
TESSERA_LAPACK_OF_COMPLEX(complex128, z)
}  // namespace tessera

#undef TESSERA_LAPACK_OF_COMPLEX
#undef TESSERA_LAPACK_OF_REAL
#undef TESSERA_LAPACK_OF_ALL
#undef TESSERA_LAPACK_SYMBOL

#endif

namespace tessera::detail {

// Called when a program is bound, so that programs that run before main use the same kernels as later ones.
TESSERA_COLD inline void fill_in_lapack() {
#if defined(TESSERA_LAPACK)
  static bool const done = [] {
    ops::linalg::lapack<float> = &lapack_of_float;
    ops::linalg::lapack<double> = &lapack_of_double;
    ops::linalg::lapack<complex64> = &lapack_of_complex64;
    ops::linalg::lapack<complex128> = &lapack_of_complex128;
    return true;
  }();
  static_cast<void>(done);
#endif
}

}  // namespace tessera::detail
