// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels of the ops of this folder: declared here, defined in linalg_kernel.hpp, linalg_host.hpp, eigen_host.hpp and
// fft_host.hpp for float and double, those of matrices for complex numbers of them, too. A file that only traces and
// plans need not include those (exec/run/op_kernels.hpp); the declarations are weak, so that such a file links although
// its ops point to their kernels.

#include <tessera/aval/complex.hpp>
#include <tessera/base/config.hpp>
#include <tessera/base/dense_view.hpp>

#include <cstdint>

namespace tessera::ops {

namespace linalg {

// The type of lengths and singular values.
template <class T>
using real_of = typename tessera::detail::real_type<T>::type;
// The type of eigenvalues.
template <class T>
using complex_of = complex_number<real_of<T>>;

// a (n, n) becomes the lower factor L of a = L L^H, zeros above; NaN where a is not positive definite.
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void cholesky(dense_view<T> a);
// b (n, m) becomes op(a)^-1 b for triangular a: its lower or upper part, its transpose, its diagonal taken as 1.
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void solve_triangle(dense_view<T const> a, dense_view<T> b, bool lower, bool transposed,
                                                   bool unit);
// a (n, m) becomes L and U of rows permuted by partial pivoting; pivots(i): the row that i was exchanged with;
// order(i): which row of a stands at i.
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void lu(dense_view<T> a, dense_view<std::int32_t> pivots,
                                       dense_view<std::int32_t> order);
// a (n, m), n >= m, becomes Q of a = Q R with orthonormal columns, r (m, m) upper with a real diagonal. Signs as
// LAPACK's geqrf.
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void qr(dense_view<T> a, dense_view<T> r);
// a (n, m) = u diag(s) vt: s descending, columns of u and rows of vt orthonormal, as many as s has or n and m. NaN where an
// element of a is not finite.
template <class T>
[[gnu::weak]] TESSERA_FUNCTION void svd(dense_view<T const> a, dense_view<T> u, dense_view<real_of<T>> s,
                                        dense_view<T> vt);

// On the host, by LAPACK where it is faster. The functions with a result return false, and have done nothing, if LAPACK
// is not used.
template <class T>
[[gnu::weak]] bool host_cholesky(dense_view<T const> a, dense_view<T> l);
template <class T>
[[gnu::weak]] bool host_lu(dense_view<T const> a, dense_view<T> factors, dense_view<std::int32_t> pivots,
                           dense_view<std::int32_t> order);
template <class T>
[[gnu::weak]] bool host_qr(dense_view<T const> a, dense_view<T> q, dense_view<T> r);
template <class T>
[[gnu::weak]] bool host_solve_triangle(dense_view<T const> a, dense_view<T> b, bool lower, bool transposed, bool unit);
template <class T>
[[gnu::weak]] void host_solve(dense_view<T const> a, dense_view<T const> b, dense_view<T> x);
// c: the cofactors of a, also of singular matrices: det(a) a^-T if that exists.
template <class T>
[[gnu::weak]] void host_cofactors(dense_view<T const> a, dense_view<T> c);
template <class T>
[[gnu::weak]] void host_eigh(dense_view<T const> a, dense_view<real_of<T>> w, dense_view<T> v);
template <class T>
[[gnu::weak]] bool host_svd(dense_view<T const> a, dense_view<T> u, dense_view<real_of<T>> s, dense_view<T> vt);
template <class T>
[[gnu::weak]] void host_svdvals(dense_view<T const> a, dense_view<real_of<T>> s);
// Of real and complex a; NaN if an element is not finite or the algorithm does not end.
template <class T>
[[gnu::weak]] void host_eigvals(dense_view<T const> a, dense_view<complex_of<T>> w);
template <class T>
[[gnu::weak]] void host_eig(dense_view<T const> a, dense_view<complex_of<T>> w, dense_view<complex_of<T>> v);
template <class T>
[[gnu::weak]] void host_schur(dense_view<T const> a, dense_view<complex_of<T>> t, dense_view<complex_of<T>> q);
template <class T>
[[gnu::weak]] void host_sqrtm(dense_view<T const> a, dense_view<complex_of<T>> root);
template <class T>
[[gnu::weak]] void host_sylvester(dense_view<T const> a, dense_view<T const> b, dense_view<T const> c, dense_view<T> x);

}  // namespace linalg

namespace fourier {

// Lines side by side, with steps in elements of their type. n: the length of the real line, if one side is real.
struct lines {
  std::int64_t count, n;
  std::int64_t in_line, in_step, out_line, out_step;
};
template <class T>
[[gnu::weak]] void complex_to_complex(lines const& l, complex_number<T> const* in, complex_number<T>* out, bool inverse,
                                      T scale);
template <class T>
[[gnu::weak]] void real_to_complex(lines const& l, T const* in, complex_number<T>* out, T scale);
template <class T>
[[gnu::weak]] void complex_to_real(lines const& l, complex_number<T> const* in, T* out, T scale);

}  // namespace fourier

}  // namespace tessera::ops
