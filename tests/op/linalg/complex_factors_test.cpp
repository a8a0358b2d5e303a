// SPDX-License-Identifier: Apache-2.0
// nightly
// Orthonormal factors and singular values of complex matrices by what defines them: of every shape, small and large
// enough for LAPACK, by our own kernels, of split batches, and of what is not finite.

#include "support/complex_matrices.hpp"

#include <tessera/op/linalg/linalg_host.hpp>

#include <algorithm>

namespace {

using namespace complex_matrices;

// A row-major matrix of std::complex<double>, which shares no code with the library.
struct matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<number> all;
  matrix(std::size_t n, std::size_t m) : rows(n), columns(m), all(n * m) {}
  number& operator()(std::size_t i, std::size_t j) { return all[i * columns + j]; }
  number operator()(std::size_t i, std::size_t j) const { return all[i * columns + j]; }
};
matrix operator*(matrix const& x, matrix const& y) {
  matrix z(x.rows, y.columns);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < y.columns; ++j)
      for (std::size_t k = 0; k < x.columns; ++k) z(i, j) += x(i, k) * y(k, j);
  return z;
}
matrix adjoint(matrix const& x) {
  matrix z(x.columns, x.rows);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.columns; ++j) z(j, i) = std::conj(x(i, j));
  return z;
}
matrix one(std::size_t n) {
  matrix z(n, n);
  for (std::size_t i = 0; i < n; ++i) z(i, i) = 1;
  return z;
}
double apart(matrix const& x, matrix const& y) {
  double most = x.rows == y.rows && x.columns == y.columns ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(x.all.size(), y.all.size()); ++i)
    most = std::max(most, std::abs(x.all[i] - y.all[i]));
  return most;
}
template <class X>
matrix matrix_of(X const& x) {
  auto const& extents = X::type::value.shape();
  matrix z(static_cast<std::size_t>(extents[0]), static_cast<std::size_t>(extents[1]));
  std::vector<double> const parts = numbers(x);
  for (std::size_t i = 0; i < z.all.size(); ++i) z.all[i] = number(parts[2 * i], parts[2 * i + 1]);
  return z;
}
matrix diagonal(std::vector<double> const& s, std::size_t n, std::size_t m) {
  matrix z(n, m);
  for (std::size_t i = 0; i < s.size(); ++i) z(i, i) = s[i];
  return z;
}

// u diag(s) vt is a; u and vt are unitary; s descends and is not negative; qr likewise.
void expect_svd(matrix const& a, matrix const& u, std::vector<double> const& s, matrix const& vt, double near) {
  double const size = s.empty() ? 1 : std::max(1.0, s[0]);
  EXPECT_LT(apart(u * diagonal(s, u.columns, vt.rows) * vt, a), near * size) << a.rows << 'x' << a.columns;
  EXPECT_LT(apart(adjoint(u) * u, one(u.columns)), near) << a.rows << 'x' << a.columns;
  EXPECT_LT(apart(vt * adjoint(vt), one(vt.rows)), near) << a.rows << 'x' << a.columns;
  for (std::size_t i = 0; i < s.size(); ++i) EXPECT_TRUE(s[i] >= 0 && (i == 0 || s[i] <= s[i - 1]));
}
void expect_qr(matrix const& a, matrix const& q, matrix const& r, double near) {
  EXPECT_LT(apart(q * r, a), near * static_cast<double>(a.rows)) << a.rows << 'x' << a.columns;
  EXPECT_LT(apart(adjoint(q) * q, one(a.columns)), near) << a.rows << 'x' << a.columns;
  for (std::size_t i = 0; i < r.rows; ++i) {
    EXPECT_LT(std::abs(r(i, i).imag()), near * static_cast<double>(a.rows));
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(r(i, j), 0.0);
  }
}
template <class X>
void check_matrix(X const& x, double near) {
  matrix const a = matrix_of(x);
  auto const [u, s, vt] = ts::svd(x);
  expect_svd(a, matrix_of(u), numbers(s), matrix_of(vt), near);
  auto const [u1, s1, vt1] = ts::svd(x, ts::full_matrices<false>);
  expect_svd(a, matrix_of(u1), numbers(s1), matrix_of(vt1), near);
  double const size = numbers(s).empty() ? 1 : std::max(1.0, numbers(s)[0]);
  expect_near(numbers(ts::svdvals(x)), numbers(s), near * size, "svdvals");
  expect_near(numbers(ts::svd(x, ts::compute_uv<false>)), numbers(s), near * size, "svd without vectors");
  if constexpr (X::type::value.shape()[0] >= X::type::value.shape()[1]) {
    auto const [q, r] = ts::qr(x);
    expect_qr(a, matrix_of(q), matrix_of(r), near);
  }
}
template <std::int64_t N, std::int64_t M>
void check_shape() {
  check_matrix(z<N, M>(1), 1e-12);
  check_matrix(wave<ts::complex64, N, M>(1), 1e-4);
  check_matrix(ts::asarray(ts::zeros<ts::complex128, N, M>()), 1e-12);
  auto const low = ts::matmul(z<N, 1>(1), z<1, M>(2));  // of rank 1
  check_matrix(low, 1e-12);
  EXPECT_EQ(ts::matrix_rank(low).item(), 1);
  EXPECT_EQ(ts::matrix_rank(z<N, M>(1)).item(), std::min(N, M));
  EXPECT_EQ(ts::matrix_rank(wave<ts::complex64, N, M>(1)).item(), std::min(N, M));
}
TEST(complex_factors, of_every_shape) {
  check_shape<1, 1>();
  check_shape<1, 7>();
  check_shape<7, 1>();
  check_shape<3, 8>();
  check_shape<8, 3>();
  check_shape<5, 5>();
  check_shape<1, 40>();
  check_shape<30, 45>();
  check_shape<45, 30>();
  check_shape<31, 31>();
}

// The four equations of a pseudoinverse; lstsq is its product with the right sides.
template <class T, std::int64_t N, std::int64_t M>
void check_inverse(double near) {
  auto const x = wave<T, N, M>(1);
  matrix const a = matrix_of(x), p = matrix_of(ts::pinv(x));
  matrix const ap = a * p, pa = p * a;
  EXPECT_LT(apart(ap * a, a), near);
  EXPECT_LT(apart(pa * p, p), near);
  EXPECT_LT(apart(adjoint(ap), ap), near);
  EXPECT_LT(apart(adjoint(pa), pa), near);
  auto const b = wave<T, N, 2>(3);
  auto const [solution, residuals, rank, s] = ts::lstsq(x, b);
  matrix const want = p * matrix_of(b), off = a * want;
  EXPECT_LT(apart(matrix_of(solution), want), near);
  std::vector<double> rest(2);
  for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i)
    for (std::size_t j = 0; j < 2; ++j) rest[j] += std::norm(matrix_of(b)(i, j) - off(i, j));
  expect_near(numbers(residuals), rest, near, "residuals");
  EXPECT_EQ(rank.item(), std::min(N, M));
  expect_near(numbers(s), numbers(ts::svdvals(x)), near, "values");
}
TEST(complex_factors, pseudoinverses) {
  check_inverse<ts::complex128, 4, 3>(1e-12);
  check_inverse<ts::complex128, 3, 5>(1e-12);
  check_inverse<ts::complex128, 30, 26>(1e-10);
  check_inverse<ts::complex64, 4, 3>(1e-4);
  auto const low = ts::matmul(z<4, 1>(1), z<1, 3>(2));
  auto const size = [](auto x) { return ts::sum(ts::real(x * ts::conj(x))).item(); };
  matrix const want = adjoint(matrix_of(low));  // of rank 1: a^H by its only value's square
  matrix got = matrix_of(ts::pinv(low));
  for (number& v : got.all) v *= size(low);
  EXPECT_LT(apart(got, want), 1e-12);
  EXPECT_EQ(std::get<2>(ts::lstsq(low, z<4, 1>())).item(), 1);
}

// Without LAPACK, and as an accelerator computes them.
template <class T, std::size_t N, std::size_t M>
void check_kernels(double near, double scale = 1) {
  namespace linalg = tessera::ops::linalg;
  using R = typename T::value_type;
  constexpr std::size_t k = std::min(N, M);
  matrix a(N, M);
  for (std::size_t i = 0; i < N * M; ++i) {
    double const turn = static_cast<double>(i * i);
    a.all[i] = scale * number(std::sin(turn + 1), std::cos(1.3 * turn));
  }
  linalg::scratch_matrix<T> given(N, M, false), u(N, N, false), vt(M, M, false);
  for (std::size_t i = 0; i < N * M; ++i) given.data()[i] = T(a.all[i]);
  std::vector<R> values(k);
  std::int64_t const extent[]{k}, step[]{1};
  linalg::svd<T>(given.fixed(), u.view(), {values.data(), extent, step, 1}, vt.view());
  auto const read = [](linalg::scratch_matrix<T>& x, std::size_t n, std::size_t m, double by) {
    matrix z(n, m);
    for (std::size_t i = 0; i < n * m; ++i) z.all[i] = number(x.data()[i].re, x.data()[i].im) * by;
    return z;
  };
  std::vector<double> s;
  for (R v : values) s.push_back(static_cast<double>(v) / scale);
  for (number& v : a.all) v /= scale;
  expect_svd(a, read(u, N, N, 1), s, read(vt, M, M, 1), near);
  if constexpr (N >= M) {
    linalg::scratch_matrix<T> r(M, M, false);
    if (scale == 1) {
      linalg::qr<T>(given.view(), r.view());
      expect_qr(a, read(given, N, M, 1), read(r, M, M, 1), near);
    }
  }
}
TEST(complex_factors, by_our_own_kernels) {
  check_kernels<ts::complex128, 1, 1>(1e-12);
  check_kernels<ts::complex128, 40, 30>(1e-12);
  check_kernels<ts::complex128, 28, 35>(1e-12);
  check_kernels<ts::complex64, 30, 30>(1e-4);
  check_kernels<ts::complex64, 5, 4>(1e-5, 1e30);
  check_kernels<ts::complex64, 5, 4>(1e-5, 1e-30);
  check_kernels<ts::complex128, 4, 6>(1e-12, 1e300);
  check_kernels<ts::complex128, 4, 6>(1e-12, 1e-300);
}

// A column that is 0 below the diagonal is turned so that the diagonal of r is real; a real one is left as it is.
TEST(complex_factors, qr_of_a_diagonal) {
  auto const x = ts::asarray(ts::host<2, 2>(std::vector<ts::complex128>{{0, 2}, {0, 0}, {0, 0}, {3, 0}}));
  auto const [q, r] = ts::qr(x);
  matrix const a = matrix_of(x);
  expect_qr(a, matrix_of(q), matrix_of(r), 1e-15);
  EXPECT_EQ(matrix_of(q)(1, 1), 1.0);
}

TEST(complex_factors, of_no_elements) {
  auto const [u, s, vt] = ts::svd(ts::asarray(ts::zeros<ts::complex64, 0, 3>()));
  static_assert(ts::type_text<decltype(u)> == "complex64[0,0]");
  static_assert(ts::type_text<decltype(s)> == "float32[0]");
  EXPECT_EQ(numbers(vt), numbers(ts::asarray(ts::eye<3, 3, 0, ts::complex64>())));
  auto const [q, r] = ts::qr(ts::asarray(ts::zeros<ts::complex64, 3, 0>()));
  static_assert(ts::type_text<decltype(q)> == "complex64[3,0]");
  static_assert(ts::type_text<decltype(r)> == "complex64[0,0]");
  static_assert(ts::type_text<decltype(ts::pinv(q))> == "complex64[0,3]");
  EXPECT_EQ(ts::matrix_norm(q, ts::nuc).item(), 0);
}

template <std::int64_t N>
void check_not_finite(ts::complex128 v) {
  std::vector<ts::complex128> all(static_cast<std::size_t>(N * N), ts::complex128(1, 2));
  all[1] = v;
  auto const x = ts::asarray(ts::host<N, N>(all));
  auto const [u, s, vt] = ts::svd(x);
  for (double part : numbers(u)) EXPECT_TRUE(std::isnan(part)) << N;
  for (double part : numbers(s)) EXPECT_TRUE(std::isnan(part)) << N;
  for (double part : numbers(vt)) EXPECT_TRUE(std::isnan(part)) << N;
  for (double part : numbers(ts::svdvals(x))) EXPECT_TRUE(std::isnan(part)) << N;
  for (double part : numbers(ts::pinv(x))) EXPECT_TRUE(std::isnan(part)) << N;
  bool missing = false;
  for (double part : numbers(std::get<1>(ts::qr(x)))) missing = missing || std::isnan(part);
  EXPECT_TRUE(missing) << N;
}
TEST(complex_factors, of_what_is_not_finite) {
  for (ts::complex128 v :
       {ts::complex128(NAN, 0), ts::complex128(0, NAN), ts::complex128(INFINITY, 0), ts::complex128(0, -INFINITY)}) {
    check_not_finite<2>(v);
    check_not_finite<26>(v);
  }
}
// Finite, although its |re| + |im| is not.
TEST(complex_factors, of_the_largest_numbers) {
  auto const x = ts::asarray(ts::host<1, 1>(std::vector<ts::complex128>{{1e308, 1.2e308}}));
  EXPECT_NEAR(numbers(ts::svdvals(x))[0] / 1e308, std::hypot(1, 1.2), 1e-14);
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
TEST(complex_factors, of_split_batches_and_mapped) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const whole = wave<ts::complex64, 8, 4, 3>();
  ts::use_mesh const current(mesh);
  auto const all = [](auto x) {
    auto const [q, r] = ts::qr(x);
    auto const [u, s, vt] = ts::svd(x);
    auto const [solution, residuals, rank, values] = ts::lstsq(x, x);
    return std::tuple{q, r, u, s, vt, ts::svdvals(x), ts::pinv(x), solution, residuals, rank, values};
  };
  auto const split = ts::jit(all)(ts::reshard<ts::P<dp>, grid>(whole));
  static_assert(ts::type_text<std::tuple_element_t<0, std::remove_const_t<decltype(split)>>> == "complex64[8@dp,4,3]");
  static_assert(ts::type_text<std::tuple_element_t<3, std::remove_const_t<decltype(split)>>> == "float32[8@dp,3]");
  static_assert(ts::type_text<std::tuple_element_t<8, std::remove_const_t<decltype(split)>>> == "float32[8@dp,3]");
  auto const mapped = ts::jit([](auto x) { return ts::vmap(decltype(all){})(x); })(whole);
  auto const at_once = all(whole);
  auto const expect_equal = [](auto const& x, auto const& y) { EXPECT_EQ(numbers(x), numbers(y)); };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (expect_equal(std::get<I>(split), std::get<I>(mapped)), ...);
    (expect_equal(std::get<I>(split), std::get<I>(at_once)), ...);
  }
  (std::make_index_sequence<11>{});
}

}  // namespace
