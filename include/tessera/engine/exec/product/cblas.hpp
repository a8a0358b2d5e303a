// SPDX-License-Identifier: Apache-2.0
#pragma once
// The BLAS of the host: its header, the prefix of its symbols, if any, and its own threads, which stay off. Macros that
// the build sets: TESSERA_WITHOUT_CBLAS if there is no BLAS; TESSERA_CBLAS_HEADER; TESSERA_CBLAS_PREFIX (such as
// scipy_); TESSERA_CBLAS_SET_NUM_THREADS (a void(int)); TESSERA_CBLAS_CONFIG (the function of its header that describes
// it); TESSERA_CBLAS_NAME (its file).

#ifndef TESSERA_WITHOUT_CBLAS
#ifndef TESSERA_CBLAS_HEADER
#define TESSERA_CBLAS_HEADER <cblas.h>
#endif
#include TESSERA_CBLAS_HEADER
#ifdef TESSERA_CBLAS_PREFIX
#define TESSERA_JOIN_AGAIN(a, b) a##b
#define TESSERA_JOIN(a, b) TESSERA_JOIN_AGAIN(a, b)
#define TESSERA_CBLAS(name) TESSERA_JOIN(TESSERA_CBLAS_PREFIX, name)
#else
#define TESSERA_CBLAS(name) name
#endif
#ifdef TESSERA_CBLAS_SET_NUM_THREADS
extern "C" void TESSERA_CBLAS_SET_NUM_THREADS(int);
#else
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
#endif
#ifndef TESSERA_CBLAS_NAME
#define TESSERA_CBLAS_NAME "a CBLAS"
#endif
#endif

#include <string>

namespace tessera {

// BLAS is called from the threads of a launch, so it must not start its own threads. Called by runtime and before any
// product.
inline void single_threaded_blas() {
  static bool const done = [] {
#ifndef TESSERA_WITHOUT_CBLAS
#ifdef TESSERA_CBLAS_SET_NUM_THREADS
    TESSERA_CBLAS_SET_NUM_THREADS(1);
#else
    if (&openblas_set_num_threads) openblas_set_num_threads(1);
#endif
#endif
    return true;
  }();
  static_cast<void>(done);
}

// The library's own description, or the name of its file.
inline std::string blas_name() {
#if defined(TESSERA_WITHOUT_CBLAS)
  return "none: own loops, many times slower";
#elif defined(TESSERA_CBLAS_CONFIG)
  std::string name = TESSERA_CBLAS_CONFIG();
  while (name.ends_with(' ')) name.pop_back();
  return name;
#else
  return TESSERA_CBLAS_NAME;
#endif
}

namespace detail {

inline constexpr bool has_cblas =
#ifdef TESSERA_WITHOUT_CBLAS
    false;
#else
    true;
#endif

// c (m,n; row stride ldc) = alpha * op(a) * op(b) + beta * c, row-major. Precondition: has_cblas.
#ifdef TESSERA_WITHOUT_CBLAS
template <class T>
void blas_product(bool, bool, int, int, int, T, T const*, int, T const*, int, T, T*, int) {}
#else
inline void blas_product(bool trans_a, bool trans_b, int m, int n, int k, float alpha, float const* a, int lda,
                         float const* b, int ldb, float beta, float* c, int ldc) {
  TESSERA_CBLAS(cblas_sgemm)
  (CblasRowMajor, trans_a ? CblasTrans : CblasNoTrans, trans_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b,
   ldb, beta, c, ldc);
}
inline void blas_product(bool trans_a, bool trans_b, int m, int n, int k, double alpha, double const* a, int lda,
                         double const* b, int ldb, double beta, double* c, int ldc) {
  TESSERA_CBLAS(cblas_dgemm)
  (CblasRowMajor, trans_a ? CblasTrans : CblasNoTrans, trans_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b,
   ldb, beta, c, ldc);
}
#endif

}  // namespace detail

}  // namespace tessera
