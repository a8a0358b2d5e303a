// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products by cuBLAS: strided batches, on the execution space's stream. Needs nvcc and TESSERA_WITH_CUBLAS.

#include <tessera/base/settings.hpp>
#include <tessera/engine/exec/product/gemm_host.hpp>
#include <tessera/exec/device/device_launch.hpp>

#if defined(__CUDACC__) && defined(TESSERA_WITH_CUBLAS)
#include <cublas_v2.h>

#include <stdexcept>
#endif

namespace tessera::detail {

// The element types that cuBLAS multiplies, and the type that it adds up in. Products of float32 have all bits, unless the
// setting allows TF32; JAX uses TF32 unless jax_default_matmul_precision says "highest".
template <class T>
struct cublas_type {
  static constexpr bool known = false;
};

#if defined(__CUDACC__) && defined(TESSERA_WITH_CUBLAS)
inline constexpr bool has_cublas = true;

inline void check_cublas(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("tessera: cuBLAS failed: ") + cublasGetStatusString(status));
}

// One handle per thread; each call sets its stream to that of the execution space.
inline cublasHandle_t cublas_handle() {
  struct owner {
    cublasHandle_t handle{};
    owner() { check_cublas(cublasCreate(&handle)); }
    ~owner() { cublasDestroy(handle); }
  };
  thread_local owner const own;
  check_cublas(cublasSetStream(own.handle, Kokkos::Cuda().cuda_stream()));
  return own.handle;
}

template <class Scalar, cudaDataType Element, cublasComputeType_t Sums>
struct known_cublas_type {
  using scalar = Scalar;  // of alpha and beta
  static constexpr bool known = true;
  static constexpr cudaDataType element = Element;
  static constexpr cublasComputeType_t sums = Sums;
};
template <>
struct cublas_type<float> : known_cublas_type<float, CUDA_R_32F, CUBLAS_COMPUTE_32F> {};
template <>
struct cublas_type<double> : known_cublas_type<double, CUDA_R_64F, CUBLAS_COMPUTE_64F> {};
template <>
struct cublas_type<float16> : known_cublas_type<float, CUDA_R_16F, CUBLAS_COMPUTE_32F> {};
template <>
struct cublas_type<bfloat16> : known_cublas_type<float, CUDA_R_16BF, CUBLAS_COMPUTE_32F> {};
template <>
struct cublas_type<complex64> : known_cublas_type<complex64, CUDA_C_32F, CUBLAS_COMPUTE_32F> {};
template <>
struct cublas_type<complex128> : known_cublas_type<complex128, CUDA_C_64F, CUBLAS_COMPUTE_64F> {};

// Whether cuBLAS computes a product as the engine would: results of 16 bits are rounded once, so their sums are not cut
// into several calls. Extents are counted in int.
template <class T>
bool cublas_takes(product_work const& w) {
  return w.lies_for_blas && w.m.extent <= most_of_blas && w.batches <= most_of_blas &&
         (sizeof(T) > 2 || w.outer_k == 1);
}

template <class T>
cublasComputeType_t cublas_sums() {
  static bool const tf32 = std::is_same_v<T, float> && matmul_precision_setting(if_wrong::ignores);
  return tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : cublas_type<T>::sums;
}

// Batches whose blocks are not one step apart, as heads of a transformer: a launch writes the addresses of all blocks, and
// cuBLAS multiplies them at once.
inline bool has_pointers(product_work const& w) { return w.what.batch.size() > 1 && w.outer_k == 1 && w.batches > 1; }
inline std::int64_t pointer_bytes(product_work const& w) {
  return has_pointers(w) ? 3 * w.batches * static_cast<std::int64_t>(sizeof(void*)) : 0;
}
struct product_pointers {
  static constexpr int most = transfer::capacity;
  struct loop {
    std::int64_t extent = 1, a = 0, b = 0, c = 0;  // steps in bytes
  };
  int count = 0;
  loop loops[most]{};
  std::int64_t batches = 0;
  std::byte const *a = nullptr, *b = nullptr;
  std::byte* c = nullptr;
  void const** out = nullptr;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t at_a = 0, at_b = 0, at_c = 0;
    unravel(loops, count, flat, [&](int d, std::int64_t i) {
      at_a += i * loops[d].a;
      at_b += i * loops[d].b;
      at_c += i * loops[d].c;
    });
    out[flat] = a + at_a;
    out[batches + flat] = b + at_b;
    out[2 * batches + flat] = c + at_c;
  }
};

// cuBLAS is column-major: the transposed product with exchanged operands gives c row-major. `pointers` has pointer_bytes,
// or is null.
template <class T>
class cublas_product {
public:
  cublas_product(product_work const& w, T const* a, T const* b, T* c) : w_(w), a_(a), b_(b), c_(c) {}

  void run(std::string const& label, void* pointers) const {
    if (pointers && has_pointers(w_)) return run_pointers(label, static_cast<void const**>(pointers));
    product::dims outer = w_.what.batch;
    product_dim inner;
    if (!outer.empty()) {
      inner = outer[outer.size() - 1];
      --outer.count;
    }
    for (std::int64_t o = 0; o < extents_product(outer); ++o)
      for (std::int64_t k = 0; k < w_.outer_k; ++k) {
        auto const at = locate(outer, o), at_k = locate(w_.what.k, k);
        auto const* const a = a_ + at.a + at_k.a;
        auto const* const b = b_ + at.b + at_k.b;
        auto const* const beta = k == 0 ? &beta_ : &one_;
        if (inner.extent == 1)
          check_cublas(cublasGemmEx(handle_, turn_b(), turn_a(), n(), m(), k_count(), &alpha_, b, type::element,
                                    w_.b.leading, a, type::element, w_.a.leading, beta, c_ + at.c, type::element,
                                    w_.c.leading, cublas_sums<T>(), CUBLAS_GEMM_DEFAULT));
        else
          check_cublas(cublasGemmStridedBatchedEx(
              handle_, turn_b(), turn_a(), n(), m(), k_count(), &alpha_, b, type::element, w_.b.leading, inner.b, a,
              type::element, w_.a.leading, inner.a, beta, c_ + at.c, type::element, w_.c.leading, inner.c,
              static_cast<int>(inner.extent), cublas_sums<T>(), CUBLAS_GEMM_DEFAULT));
      }
  }

private:
  using type = cublas_type<T>;
  using scalar = typename type::scalar;
  cublasOperation_t turn_a() const { return w_.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
  cublasOperation_t turn_b() const { return w_.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
  int m() const { return static_cast<int>(w_.m.extent); }
  int n() const { return static_cast<int>(w_.n.extent); }
  int k_count() const { return static_cast<int>(w_.k.extent); }
  void run_pointers(std::string const& label, void const** pointers) const {
    product_pointers kernel;
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    for (auto const& d : w_.what.batch) kernel.loops[kernel.count++] = {d.extent, d.a * size, d.b * size, d.c * size};
    kernel.batches = w_.batches;
    kernel.a = reinterpret_cast<std::byte const*>(a_);
    kernel.b = reinterpret_cast<std::byte const*>(b_);
    kernel.c = reinterpret_cast<std::byte*>(c_);
    kernel.out = pointers;
    launch_elements(label, w_.batches, kernel);
    auto* const to = reinterpret_cast<void* const*>(const_cast<void**>(pointers + 2 * w_.batches));
    check_cublas(cublasGemmBatchedEx(handle_, turn_b(), turn_a(), n(), m(), k_count(), &alpha_, pointers + w_.batches,
                                     type::element, w_.b.leading, pointers, type::element, w_.a.leading, &beta_, to,
                                     type::element, w_.c.leading, static_cast<int>(w_.batches), cublas_sums<T>(),
                                     CUBLAS_GEMM_DEFAULT));
  }

  product_work const& w_;
  T const *a_, *b_;
  T* c_;
  scalar alpha_ = static_cast<scalar>(w_.what.alpha), beta_ = static_cast<scalar>(w_.what.beta);
  scalar one_ = static_cast<scalar>(1);
  cublasHandle_t handle_ = cublas_handle();
};
#else
inline constexpr bool has_cublas = false;
inline std::int64_t pointer_bytes(product_work const&) { return 0; }
#endif

}  // namespace tessera::detail
