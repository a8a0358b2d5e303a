// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products by cuBLAS: strided batches, on the execution space's stream. Needs nvcc and TESSERA_WITH_CUBLAS.

#include <tessera/engine/exec/product/gemm_host.hpp>

#if defined(__CUDACC__) && defined(TESSERA_WITH_CUBLAS)
#include <cublas_v2.h>

#include <stdexcept>
#endif

namespace tessera::detail {

#if defined(__CUDACC__) && defined(TESSERA_WITH_CUBLAS)
inline constexpr bool has_cublas = true;

inline void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("tessera: cuBLAS failed: ") + cublasGetStatusString(status));
}

// One handle per thread; each call sets its stream to that of the execution space.
inline cublasHandle_t cublas_handle() {
  struct owner {
    cublasHandle_t handle{};
    owner() { check(cublasCreate(&handle)); }
    ~owner() { cublasDestroy(handle); }
  };
  thread_local owner const own;
  check(cublasSetStream(own.handle, Kokkos::Cuda().cuda_stream()));
  return own.handle;
}

inline auto strided_batched(float) { return &cublasSgemmStridedBatched; }
inline auto strided_batched(double) { return &cublasDgemmStridedBatched; }

// cuBLAS is column-major: the transposed product with exchanged operands gives c row-major.
template <class T>
void cublas_product(product_work const& w, T const* a, T const* b, T* c) {
  product::dims outer = w.what.batch;
  product_dim inner;
  if (!outer.empty()) {
    inner = outer[outer.size() - 1];
    --outer.count;
  }
  T const alpha = static_cast<T>(w.what.alpha), one = 1;
  T const first_beta = static_cast<T>(w.what.beta);
  for (std::int64_t o = 0; o < extents_product(outer); ++o)
    for (std::int64_t k = 0; k < w.outer_k; ++k) {
      auto const at = locate(outer, o), at_k = locate(w.what.k, k);
      check(strided_batched(T{})(
          cublas_handle(), w.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, w.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
          static_cast<int>(w.n.extent), static_cast<int>(w.m.extent), static_cast<int>(w.k.extent), &alpha,
          b + at.b + at_k.b, w.b.leading, inner.b, a + at.a + at_k.a, w.a.leading, inner.a, k == 0 ? &first_beta : &one,
          c + at.c, w.c.leading, inner.c, static_cast<int>(inner.extent)));
    }
}
#else
inline constexpr bool has_cublas = false;
template <class T>
void cublas_product(product_work const&, T const*, T const*, T*) {}
#endif

}  // namespace tessera::detail
