// SPDX-License-Identifier: Apache-2.0
// nightly
// Orthonormal factors and singular values of complex matrices, and what is made of them, with gradients: beside JAX and
// beside central differences.

#include "support/complex_matrices.hpp"

namespace {

using namespace complex_matrices;

auto tall() { return z<2, 4, 3>(); }
auto wide() { return z<2, 3, 4>(1); }
auto square() { return z<2, 4, 4>(); }

TEST(complex_factors, qr_as_jax) {
  expect(with_slopes([](auto x) { return std::get<0>(ts::qr(x)); }, tall()), recorded_complex::qr_q);
  expect(with_slopes([](auto x) { return std::get<1>(ts::qr(x)); }, tall()), recorded_complex::qr_r);
  expect(with_slopes([](auto x) { return std::get<0>(ts::qr(x)); }, square()), recorded_complex::qr_of_square);
}

constexpr auto values = [](auto x) { return ts::svdvals(x); };
// in_place of record_complex.py: vectors along Dim, times factors of size 1 that make their first elements positive.
template <int Dim>
constexpr auto in_place(auto v) {
  auto const first = ts::slice_in_dim<Dim, 0, 1>(v);
  return v * ts::conj(ts::stop_gradient(first / ts::abs(first)));
}
constexpr auto left = [](auto x) { return in_place<-2>(std::get<0>(ts::svd(x, ts::full_matrices<false>))); };
constexpr auto right = [](auto x) { return in_place<-1>(std::get<2>(ts::svd(x, ts::full_matrices<false>))); };
constexpr auto between = [](auto x) { return std::get<1>(ts::svd(x)); };
TEST(complex_factors, svd_as_jax) {
  expect(with_slopes(values, tall()), recorded_complex::svdvals_of_tall);
  expect(with_slopes(values, wide()), recorded_complex::svdvals_of_wide);
  expect(with_slopes(between, tall()), recorded_complex::svdvals_of_tall);
  expect(with_slopes(between, wide()), recorded_complex::svdvals_of_wide);
  expect(with_slopes(left, tall()), recorded_complex::left_of_tall, 1e-9);
  expect(with_slopes(left, wide()), recorded_complex::left_of_wide, 1e-9);
  expect(with_slopes(left, square()), recorded_complex::left_of_square, 1e-9);
  expect(with_slopes(right, tall()), recorded_complex::right_of_tall, 1e-9);
  expect(with_slopes(right, wide()), recorded_complex::right_of_wide, 1e-9);
  expect(with_slopes(right, square()), recorded_complex::right_of_square, 1e-9);
}

constexpr auto inverse = [](auto x) { return ts::pinv(x); };
constexpr auto solution = [](auto x, auto b) { return std::get<0>(ts::lstsq(x, b)); };
constexpr auto residuals = [](auto x, auto b) { return std::get<1>(ts::lstsq(x, b)); };
TEST(complex_factors, least_squares_as_jax) {
  auto const sides = z<2, 4, 3>(1);
  expect(with_slopes(inverse, tall()), recorded_complex::pinv_of_tall);
  expect(with_slopes(inverse, wide()), recorded_complex::pinv_of_wide);
  expect(with_slopes(solution, tall(), sides), recorded_complex::lstsq);
  expect(with_slopes(residuals, tall(), sides), recorded_complex::lstsq_residuals);
  expect(std::tuple{std::get<3>(ts::lstsq(wide(), z<2, 3, 1>()))}, recorded_complex::lstsq_values);
}
TEST(complex_factors, norms_as_jax) {
  expect(with_slopes([](auto x) { return ts::matrix_norm(x, ts::nuc); }, wide()), recorded_complex::nuc);
  expect(with_slopes([](auto x) { return ts::condition_number(x); }, square()), recorded_complex::cond, 1e-9);
}
// What does not depend on the vectors' factors of size 1.
constexpr auto onto_columns = [](auto x) {
  auto const [u, s, vt] = ts::svd(x, ts::full_matrices<false>);
  return ts::matmul(u * ts::expand_dims<-2>(s * s), ts::conj(ts::swapaxes<-1, -2>(u)));
};
constexpr auto cubed = [](auto x) {
  auto const [u, s, vt] = ts::svd(x, ts::full_matrices<false>);
  return ts::matmul(u * ts::expand_dims<-2>(s * s * s), vt);
};
constexpr auto product_of_factors = [](auto x) {
  auto const [q, r] = ts::qr(x);
  return ts::matmul(q, r * r);
};
template <std::int64_t N, std::int64_t M>
void check_slopes() {
  auto const x = z<N, M>(static_cast<double>(N));
  check_slope<0, N, M>(values, x);
  check_slope<0, N, M>(onto_columns, x);
  check_slope<0, N, M>(cubed, x);
  check_slope<0, N, M>(inverse, x);
  check_slope<0, N, M>(solution, x, z<N, 2>(3));
  check_slope<1, N, 2>(solution, x, z<N, 2>(3));
  if constexpr (N > M) check_slope<0, N, M>(residuals, x, z<N, 2>(3));
  if constexpr (N >= M) check_slope<0, N, M>(product_of_factors, x);
}
TEST(complex_factors, central_differences) {
  check_slopes<4, 3>();
  check_slopes<3, 3>();
  check_slopes<2, 4>();
}

// A real matrix beside complex right sides, and the other way around.
TEST(complex_factors, mixed_with_real_ones) {
  check_slope<0, 4, 3>(solution, wave<double, 4, 3>(), z<4, 2>(1));
  check_slope<1, 4, 2>(solution, z<4, 3>(), wave<double, 4, 2>(1));
}

// Second derivatives: of the slope's size, against central differences.
template <class F>
struct slope_of {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto y) { return size_of(F{}(y)); })(x);
  }
};
TEST(complex_factors, second_derivatives) {
  check_slope<0, 3, 3>(slope_of<decltype(values)>{}, z<3, 3>());
  check_slope<0, 3, 2>(slope_of<decltype(inverse)>{}, z<3, 2>());
  check_slope<0, 3, 2>(slope_of<decltype(product_of_factors)>{}, z<3, 2>(1));
  check_slope<0, 3, 2>(slope_of<decltype(cubed)>{}, z<3, 2>());
}

// Along one direction, against the difference of two values.
template <std::int64_t N, std::int64_t M, class F>
void check_direction(F const&) {
  auto const x = z<N, M>(1), along = z<N, M>(2);
  auto const [value, tangent] = ts::jit([](auto y, auto t) { return ts::jvp(F{}, y, t); })(x, along);
  constexpr double h = 1e-6;
  auto want = numbers(F{}(x + h * along)), low = numbers(F{}(x - h * along));
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = (want[i] - low[i]) / (2 * h);
  expect_near(numbers(value), numbers(F{}(x)), 1e-12, "value");
  expect_near(numbers(tangent), want, 1e-7, "tangent");
}
TEST(complex_factors, along_a_direction) {
  check_direction<4, 3>(values);
  check_direction<3, 4>(cubed);
  check_direction<4, 3>(product_of_factors);
  check_direction<3, 4>(inverse);
}

// Full matrices of an oblong one: the values have a gradient, the vectors are refused.
template <int K>
struct by_vectors {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto y) { return ts::sum(ts::abs(std::get<K>(ts::svd(y)))); })(x);
  }
};
TEST(complex_factors, of_full_matrices) {
  static_assert(!std::is_void_v<ts::detail::call_refused<by_vectors<0>, decltype(z<4, 3>())>>);
  static_assert(std::is_void_v<ts::detail::call_refused<by_vectors<1>, decltype(z<4, 3>())>>);
  static_assert(!std::is_void_v<ts::detail::call_refused<by_vectors<2>, decltype(z<4, 3>())>>);
}

}  // namespace
