// SPDX-License-Identifier: Apache-2.0
#pragma once
// Instantiates the host kernels of exec/run/op_kernels.hpp once, in tessera::engine, for all element types that their
// ops accept.

#include <tessera/exec/run/op_kernels.hpp>

namespace tessera::ops {

#define TESSERA_SORTED(T)                                                                     \
  template void sorting::sort_values(dense_view<T const>, dense_view<T>, bool);               \
  template void sorting::sort_positions(dense_view<T const>, dense_view<std::int32_t>, bool); \
  template void sorting::largest(dense_view<T const>, dense_view<T>, dense_view<std::int32_t>);
TESSERA_SORTED(bool)
TESSERA_SORTED(std::int32_t)
TESSERA_SORTED(std::int64_t)
TESSERA_SORTED(std::uint64_t)
TESSERA_SORTED(float16)
TESSERA_SORTED(bfloat16)
TESSERA_SORTED(float)
TESSERA_SORTED(double)
#undef TESSERA_SORTED
template void sorting::sort_values(dense_view<complex64 const>, dense_view<complex64>, bool);
template void sorting::sort_values(dense_view<complex128 const>, dense_view<complex128>, bool);
template void sorting::sort_positions(dense_view<complex64 const>, dense_view<std::int32_t>, bool);
template void sorting::sort_positions(dense_view<complex128 const>, dense_view<std::int32_t>, bool);

#define TESSERA_MATRICES(T)                                                                                          \
  template void linalg::cholesky(dense_view<T>);                                                                     \
  template bool linalg::host_cholesky(dense_view<T const>, dense_view<T>);                                           \
  template void linalg::host_eigh(dense_view<T const>, dense_view<linalg::real_of<T>>, dense_view<T>);               \
  template void linalg::qr(dense_view<T>, dense_view<T>);                                                            \
  template bool linalg::host_qr(dense_view<T const>, dense_view<T>, dense_view<T>);                                  \
  template void linalg::svd(dense_view<T const>, dense_view<T>, dense_view<linalg::real_of<T>>, dense_view<T>);      \
  template bool linalg::host_svd(dense_view<T const>, dense_view<T>, dense_view<linalg::real_of<T>>, dense_view<T>); \
  template void linalg::host_svdvals(dense_view<T const>, dense_view<linalg::real_of<T>>);                           \
  template void linalg::solve_triangle(dense_view<T const>, dense_view<T>, bool, bool, bool);                        \
  template void linalg::lu(dense_view<T>, dense_view<std::int32_t>, dense_view<std::int32_t>);                       \
  template bool linalg::host_lu(dense_view<T const>, dense_view<T>, dense_view<std::int32_t>,                        \
                                dense_view<std::int32_t>);                                                           \
  template bool linalg::host_solve_triangle(dense_view<T const>, dense_view<T>, bool, bool, bool);                   \
  template void linalg::host_solve(dense_view<T const>, dense_view<T const>, dense_view<T>);                         \
  template void linalg::host_cofactors(dense_view<T const>, dense_view<T>);                                          \
  template void linalg::host_eigvals(dense_view<T const>, dense_view<linalg::complex_of<T>>);                        \
  template void linalg::host_eig(dense_view<T const>, dense_view<linalg::complex_of<T>>,                             \
                                 dense_view<linalg::complex_of<T>>);                                                 \
  template void linalg::host_schur(dense_view<T const>, dense_view<linalg::complex_of<T>>,                           \
                                   dense_view<linalg::complex_of<T>>);                                               \
  template void linalg::host_sqrtm(dense_view<T const>, dense_view<linalg::complex_of<T>>);                          \
  template void linalg::host_sylvester(dense_view<T const>, dense_view<T const>, dense_view<T const>, dense_view<T>);
TESSERA_MATRICES(float)
TESSERA_MATRICES(double)
TESSERA_MATRICES(complex64)
TESSERA_MATRICES(complex128)
#undef TESSERA_MATRICES

#define TESSERA_FOURIER(T)                                                                                             \
  template void fourier::complex_to_complex(fourier::lines const&, complex_number<T> const*, complex_number<T>*, bool, \
                                            T);                                                                        \
  template void fourier::real_to_complex(fourier::lines const&, T const*, complex_number<T>*, T);                      \
  template void fourier::complex_to_real(fourier::lines const&, complex_number<T> const*, T*, T);
TESSERA_FOURIER(float)
TESSERA_FOURIER(double)
#undef TESSERA_FOURIER

}  // namespace tessera::ops
