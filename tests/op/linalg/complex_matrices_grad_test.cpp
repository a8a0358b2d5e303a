// SPDX-License-Identifier: Apache-2.0
// nightly
// Complex matrices and eigenvalues with their gradients: beside JAX, and beside central differences where JAX has none.

#include "support/complex_matrices.hpp"

namespace {

using namespace complex_matrices;

TEST(complex_matrices, linear_systems) {
  expect(with_slopes([](auto a, auto b) { return ts::solve(a, b); }, z<2, 4, 4>(), z<2, 4, 3>(1)),
         recorded_complex::solve);
  expect(with_slopes([](auto a) { return ts::inv(a); }, z<2, 4, 4>()), recorded_complex::inv);
  expect(
      with_slopes(
          [](auto a, auto b) { return ts::triangular_solve(a, b, ts::left_side, ts::lower_triangle, ts::transpose_a); },
          z<2, 4, 4>(), z<2, 4, 3>(1)),
      recorded_complex::lower);
  expect(with_slopes([](auto a, auto b) { return ts::triangular_solve(a, ts::swapaxes<1, 2>(b), ts::unit_diagonal); },
                     z<2, 4, 4>(), z<2, 4, 3>(1)),
         [] {
           auto want = recorded_complex::upper;
           std::vector<double> turned(want[2].size());
           for (std::size_t m = 0; m < 2; ++m)
             for (std::size_t i = 0; i < 3; ++i)
               for (std::size_t j = 0; j < 4; ++j)
                 for (std::size_t part = 0; part < 2; ++part)
                   turned[((m * 4 + j) * 3 + i) * 2 + part] = want[2][((m * 3 + i) * 4 + j) * 2 + part];
           want[2] = turned;
           return want;
         }());
}
TEST(complex_matrices, determinants_and_factors) {
  expect(with_slopes([](auto a) { return ts::det(a); }, z<2, 4, 4>()), recorded_complex::det);
  expect(with_slopes([](auto a) { return ts::det(a); }, z<3, 3>()), recorded_complex::det3);
  expect(with_slopes([](auto a) { return std::get<0>(ts::lu(a)); }, z<2, 4, 4>()), recorded_complex::lu);
  auto const a = z<2, 4, 4>();
  auto const [sign, log_size] = ts::slogdet(a);
  auto const slope = std::get<1>(with_slopes([](auto x) { return std::get<1>(ts::slogdet(x)); }, a));
  static_assert(ts::type_text<decltype(log_size)> == "float64[2]");
  expect(std::tuple{sign, log_size, slope}, recorded_complex::slogdet);
}

constexpr auto definite = [](auto x) { return ts::matmul(x, ts::conj(ts::swapaxes<-1, -2>(x))) + 4.0 * ts::eye<4>(); };
TEST(complex_matrices, hermitian) {
  expect(with_slopes([](auto x) { return ts::cholesky(definite(x)); }, z<2, 4, 4>()), recorded_complex::cholesky);
  expect(with_slopes([](auto x) { return std::get<0>(ts::eigh(definite(x))); }, z<2, 4, 4>()),
         recorded_complex::eigh_values);
  expect(with_slopes(
             [](auto x) {
               auto const v = std::get<1>(ts::eigh(definite(x)));
               return ts::real(v * ts::conj(v));
             },
             z<2, 4, 4>()),
         recorded_complex::eigh_vectors, 1e-9);
}

TEST(eigenvalues, as_jax) {
  auto const of = [](auto const& x) {
    auto const [w, slope] = with_slopes([](auto a) { return ts::eigvals(a); }, x);
    return std::tuple{powers(w), slope};
  };
  expect(of(wave<double, 3, 5, 5>()), recorded_complex::eig_of_real);
  expect(of(z<2, 4, 4>()), recorded_complex::eig_of_complex);
  auto const by_eig = with_slopes([](auto a) { return std::get<0>(ts::eig(a)); }, wave<double, 3, 5, 5>());
  expect(std::tuple{powers(std::get<0>(by_eig)), std::get<1>(by_eig)}, recorded_complex::eig_of_real);
}

// Slopes that JAX does not have.
TEST(eigenvalues, slopes_of_matrix_equations) {
  auto const r = wave<double, 4, 4>(1);
  auto const root = [](auto a) { return ts::sqrtm(a); };
  check_slope<0, 4, 4>(root, r);
  check_slope<0, 4, 4>(root, z<4, 4>());
  auto const solved = [](auto a, auto b, auto c) { return ts::solve_sylvester(a, b, c); };
  auto const c = wave<double, 4, 3>(1);
  auto const b = wave<double, 3, 3>(3);
  check_slope<0, 4, 4>(solved, r, b, c);
  check_slope<1, 3, 3>(solved, r, b, c);
  check_slope<2, 4, 3>(solved, r, b, c);
  check_slope<0, 4, 4>(solved, z<4, 4>(), z<3, 3>(2), z<4, 3>());
  check_slope<1, 3, 3>(solved, z<4, 4>(), z<3, 3>(2), z<4, 3>());
}

// Vectors and Schur forms have no slopes, as in JAX.
struct by_vectors {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto y) { return ts::sum(ts::abs(std::get<1>(ts::eig(y)))); })(x);
  }
};
struct by_triangle {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto y) { return ts::sum(ts::abs(std::get<0>(ts::schur(y)))); })(x);
  }
};
TEST(eigenvalues, what_is_not_differentiated) {
  using x = decltype(wave<float, 3, 3>());
  static_assert(!std::is_void_v<ts::detail::call_refused<by_vectors, x>>);
  static_assert(!std::is_void_v<ts::detail::call_refused<by_triangle, x>>);
}

}  // namespace
