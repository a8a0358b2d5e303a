// SPDX-License-Identifier: Apache-2.0
// nightly
// Eigenvalues of matrices that are not symmetric, Schur forms and matrix equations, of real and complex elements: by what
// defines them, and beside JAX.

#include "support/complex_matrices.hpp"

#include <tessera/op/linalg/eigen_host.hpp>

namespace {

using namespace complex_matrices;

template <class X>
double largest(X const& x) {
  return static_cast<double>(ts::max(ts::abs(x)).item());
}
template <class T, std::int64_t N>
void check_definitions(double tolerance) {
  auto const a = wave<T, 2, N, N>(static_cast<double>(N));
  auto const [w, v] = ts::eig(a);
  using C = std::conditional_t<sizeof(ts::detail::real_part(T())) == 8, ts::complex128, ts::complex64>;
  auto const wide = ts::astype<C>(a);
  EXPECT_LT(largest(ts::matmul(wide, v) - v * ts::expand_dims<-2>(w)), tolerance) << N;
  EXPECT_LT(largest(ts::sum<-2>(ts::real(v * ts::conj(v))) - 1), tolerance) << N;
  EXPECT_LT(largest(powers(w) - powers(ts::eigvals(a))), 100 * tolerance) << N;
  auto const [t, q] = ts::schur(a);
  auto const back = ts::swapaxes<-1, -2>(ts::conj(q));
  EXPECT_LT(largest(ts::matmul(ts::matmul(q, t), back) - wide), tolerance) << N;
  EXPECT_LT(largest(ts::matmul(q, back) - ts::eye<N>()), tolerance) << N;
  EXPECT_EQ(largest(t - ts::triu(t)), 0) << N;
  auto const root = ts::sqrtm(a);
  EXPECT_LT(largest(ts::matmul(root, root) - wide), 10 * tolerance) << N;
  auto const b = wave<T, 2, 3, 3>(2);
  auto const c = wave<T, 2, N, 3>(1);
  auto const x = ts::solve_sylvester(a, b, c);
  static_assert(std::is_same_v<decltype(x), std::remove_const_t<decltype(c)> const>);
  EXPECT_LT(largest(ts::matmul(a, x) + ts::matmul(x, b) - c), 100 * tolerance) << N;
}
TEST(eigenvalues, what_defines_them) {
  check_definitions<double, 1>(1e-13);
  check_definitions<double, 2>(1e-13);
  check_definitions<double, 5>(1e-12);
  check_definitions<double, 40>(1e-10);
  check_definitions<float, 6>(1e-4);
  check_definitions<ts::complex64, 6>(1e-4);
  check_definitions<ts::complex128, 30>(1e-10);
}
TEST(eigenvalues, matrix_equations_as_jax) {
  expect(std::tuple{ts::solve_sylvester(z<4, 4>(), z<3, 3>(2), z<4, 3>())}, recorded_complex::sylvester);
  auto const r = wave<double, 3, 5, 5>();
  auto const at = [&](int i) { return r.at(i).get(); };
  auto const b = at(1).at(ts::span(0, 3), ts::span(0, 3)).get();
  auto const c = at(2).at(ts::every, ts::span(0, 3)).get();
  expect(std::tuple{ts::solve_sylvester(at(0), b, c)}, recorded_complex::sylvester_of_real);
  expect(std::tuple{ts::sqrtm(z<4, 4>())}, recorded_complex::sqrtm);
  expect(std::tuple{ts::sqrtm(at(0))}, recorded_complex::sqrtm_of_real);
}

// As where there is no LAPACK.
template <std::int64_t N>
void check_own_schur(unsigned kind) {
  namespace linalg = tessera::ops::linalg;
  linalg::wide_matrix a(N, N);
  for (std::int64_t i = 0; i < N; ++i)
    for (std::int64_t j = 0; j < N; ++j) {
      double const k = static_cast<double>(i * N + j);
      switch (kind) {
        case 0: a(i, j) = number(std::sin(k * k), std::cos(k)); break;
        case 1: a(i, j) = std::sin(k * k + 1); break;
        case 2: a(i, j) = i == (j + 1) % N ? 1 : 0; break;         // roots of one
        case 3: a(i, j) = j == i + 1 ? 1 : i == j ? 2 : 0; break;  // one eigenvalue, one vector
        case 4: a(i, j) = 1e-300 * std::sin(k); break;
        case 5: a(i, j) = 1e300 * std::sin(k); break;
        default: a(i, j) = 0;
      }
    }
  linalg::schur_form const made{a};
  ASSERT_TRUE(made.ended) << N << ' ' << kind;
  auto const again = made.q.times(made.t).times(made.q.adjoint()), one = made.q.times(made.q.adjoint());
  double size = 1e-307;
  for (std::int64_t i = 0; i < N; ++i)
    for (std::int64_t j = 0; j < N; ++j) size = std::max(size, std::abs(a(i, j)));
  for (std::int64_t i = 0; i < N; ++i)
    for (std::int64_t j = 0; j < N; ++j) {
      EXPECT_LT(std::abs(again(i, j) - a(i, j)), 1e-12 * size) << N << ' ' << kind;
      EXPECT_LT(std::abs(one(i, j) - (i == j ? 1.0 : 0.0)), 1e-12) << N << ' ' << kind;
      EXPECT_LE(i > j ? std::abs(made.t(i, j)) : 0, 1e-15 * size) << N << ' ' << kind;
    }
  auto const v = linalg::vectors_of(made);
  auto const moved = a.times(v);
  for (std::int64_t j = 0; kind < 3 && j < N; ++j)
    for (std::int64_t i = 0; i < N; ++i)
      EXPECT_LT(std::abs(moved(i, j) - v(i, j) * made.t(j, j)), 1e-10 * size) << N << ' ' << kind;
}
TEST(eigenvalues, by_our_own_algorithm) {
  for (unsigned kind = 0; kind < 7; ++kind) {
    check_own_schur<1>(kind);
    check_own_schur<2>(kind);
    check_own_schur<3>(kind);
    check_own_schur<8>(kind);
    check_own_schur<33>(kind);
  }
}

// By LAPACK, if the build has it, and by the Schur form for few rows.
template <class T, std::int64_t N>
void check_hermitian(double tolerance) {
  auto const x = wave<T, 2, N, N>(static_cast<double>(N));
  auto const a = ts::matmul(x, ts::conj(ts::swapaxes<-1, -2>(x))) + ts::eye<N>();
  auto const [w, v] = ts::eigh(a);
  EXPECT_LT(largest(ts::matmul(a, v) - v * ts::expand_dims<-2>(w)), tolerance) << N;
  EXPECT_LT(largest(ts::matmul(ts::conj(ts::swapaxes<-1, -2>(v)), v) - ts::eye<N>()), tolerance) << N;
  EXPECT_TRUE(ts::all(ts::diff(w) >= 0).item()) << N;
  auto const l = ts::cholesky(a);
  EXPECT_LT(largest(ts::matmul(l, ts::conj(ts::swapaxes<-1, -2>(l))) - a), tolerance) << N;
  EXPECT_EQ(largest(l - ts::tril(l)), 0) << N;
  EXPECT_LT(largest(ts::matmul(a, ts::inv(a)) - ts::eye<N>()), tolerance) << N;
}
TEST(complex_matrices, hermitian) {
  check_hermitian<ts::complex128, 1>(1e-12);
  check_hermitian<ts::complex128, 5>(1e-11);
  check_hermitian<ts::complex128, 40>(1e-9);
  check_hermitian<ts::complex64, 6>(1e-3);
  check_hermitian<ts::complex64, 30>(1e-2);
  for (double v : numbers(ts::cholesky(ts::asarray(-1.0 * ts::eye<3>() + 0.0 * z<3, 3>()))))
    EXPECT_TRUE(v == 0 || std::isnan(v));
}

TEST(eigenvalues, of_what_is_not_finite) {
  auto x = std::vector<double>{1, 2, std::nan(""), 4};
  auto const a = ts::asarray(ts::host<2, 2>(x));
  for (double v : numbers(ts::eigvals(a))) EXPECT_TRUE(std::isnan(v));
  for (double v : numbers(std::get<1>(ts::eig(a)))) EXPECT_TRUE(std::isnan(v));
  for (double v : numbers(std::get<0>(ts::schur(a)))) EXPECT_TRUE(std::isnan(v));
  for (double v : numbers(ts::sqrtm(a))) EXPECT_TRUE(std::isnan(v));
  for (double v : numbers(ts::solve_sylvester(a, a, a))) EXPECT_TRUE(std::isnan(v));
  auto const even = ts::eye<2, 2, 0, double>();  // a and -b have an eigenvalue in common
  for (double v : numbers(ts::solve_sylvester(ts::asarray(even), ts::asarray(-even), ts::asarray(even))))
    EXPECT_TRUE(std::isnan(v));
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
TEST(eigenvalues, of_split_batches_and_mapped) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const whole = wave<float, 8, 3, 3>();
  ts::use_mesh const current(mesh);
  auto const a = ts::reshard<ts::P<dp>, grid>(whole);
  auto const f = ts::jit([](auto x) {
    auto const [w, v] = ts::eig(x);
    return std::tuple{w, v, ts::sqrtm(x)};
  });
  auto const [w, v, root] = f(a);
  static_assert(ts::type_text<decltype(w)> == "complex64[8@dp,3]");
  static_assert(ts::type_text<decltype(v)> == "complex64[8@dp,3,3]");
  static_assert(ts::type_text<decltype(root)> == "complex64[8@dp,3,3]");
  auto const [w1, v1, root1] = ts::jit([](auto x) {
    return ts::vmap([](auto y) {
      auto const [p, q] = ts::eig(y);
      return std::tuple{p, q, ts::sqrtm(y)};
    })(x);
  })(whole);
  EXPECT_EQ(numbers(w), numbers(w1));
  EXPECT_EQ(numbers(v), numbers(v1));
  EXPECT_EQ(numbers(root), numbers(root1));
}

}  // namespace
