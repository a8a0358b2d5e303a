// SPDX-License-Identifier: Apache-2.0
#pragma once
// LAPACK for op/linalg/linalg.hpp, from the library that the CBLAS comes from. TESSERA_LAPACK says that it has one
// (cmake/find_cblas.cmake).

#include <tessera/exec/product/cblas.hpp>
#include <tessera/op/linalg/linalg_host.hpp>

#if defined(TESSERA_LAPACK)

#if defined(TESSERA_CBLAS_PREFIX)
#define TESSERA_LAPACK_JOIN(prefix, name) prefix##name
#define TESSERA_LAPACK_NAMED(prefix, name) TESSERA_LAPACK_JOIN(prefix, name)
#define TESSERA_LAPACK_SYMBOL(name) TESSERA_LAPACK_NAMED(TESSERA_CBLAS_PREFIX, name)
#else
#define TESSERA_LAPACK_SYMBOL(name) name
#endif

#define TESSERA_LAPACK_FUNCTIONS(T, potrf_, gesv_, syevd_)                                                          \
  extern "C" void TESSERA_LAPACK_SYMBOL(potrf_)(char const*, int const*, T*, int const*, int*);                     \
  extern "C" void TESSERA_LAPACK_SYMBOL(gesv_)(int const*, int const*, T*, int const*, int*, T*, int const*, int*); \
  extern "C" void TESSERA_LAPACK_SYMBOL(syevd_)(char const*, char const*, int const*, T*, int const*, T*, T*,       \
                                                int const*, int*, int const*, int*);                                \
  namespace tessera::detail {                                                                                       \
  inline int lapack_potrf(char triangle, int n, T* a) {                                                             \
    int failed = 0;                                                                                                 \
    TESSERA_LAPACK_SYMBOL(potrf_)(&triangle, &n, a, &n, &failed);                                                   \
    return failed;                                                                                                  \
  }                                                                                                                 \
  inline int lapack_gesv(int n, int m, T* a, int* pivots, T* b) {                                                   \
    int failed = 0;                                                                                                 \
    TESSERA_LAPACK_SYMBOL(gesv_)(&n, &m, a, &n, pivots, b, &n, &failed);                                            \
    return failed;                                                                                                  \
  }                                                                                                                 \
  inline int lapack_syevd(int n, T* a, T* w) {                                                                      \
    int failed = 0, most = 1 + 6 * n + 2 * n * n, most_whole = 3 + 5 * n;                                           \
    std::vector<T> memory(static_cast<std::size_t>(most));                                                          \
    std::vector<int> whole(static_cast<std::size_t>(most_whole));                                                   \
    TESSERA_LAPACK_SYMBOL(syevd_)                                                                                   \
    ("V", "L", &n, a, &n, w, memory.data(), &most, whole.data(), &most_whole, &failed);                             \
    return failed;                                                                                                  \
  }                                                                                                                 \
  inline constexpr ops::linalg::lapack_functions<T> lapack_of_##T{&lapack_potrf, &lapack_gesv, &lapack_syevd};      \
  }

TESSERA_LAPACK_FUNCTIONS(float, spotrf_, sgesv_, ssyevd_)
TESSERA_LAPACK_FUNCTIONS(double, dpotrf_, dgesv_, dsyevd_)

#undef TESSERA_LAPACK_FUNCTIONS
#undef TESSERA_LAPACK_SYMBOL

#endif

namespace tessera::detail {

// Called where a program is bound: what runs before main uses the same kernels as what runs later.
TESSERA_COLD inline void fill_in_lapack() {
#if defined(TESSERA_LAPACK)
  static bool const done = [] {
    ops::linalg::lapack<float> = &lapack_of_float;
    ops::linalg::lapack<double> = &lapack_of_double;
    return true;
  }();
  static_cast<void>(done);
#endif
}

}  // namespace tessera::detail
