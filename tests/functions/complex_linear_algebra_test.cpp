// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions of complex matrices that are composed of operations, beside JAX.

#include <tessera/functions.hpp>

#include "support/complex_matrices.hpp"

namespace {

using namespace complex_matrices;

TEST(functions_of_complex_matrices, polar) {
  expect(with_slopes([](auto x) { return std::get<0>(ts::polar(x)); }, z<2, 4, 3>()), recorded_complex::polar_u, 1e-9);
  expect(with_slopes([](auto x) { return std::get<1>(ts::polar(x)); }, z<2, 4, 3>()), recorded_complex::polar_p, 1e-9);
  expect(with_slopes([](auto x) { return std::get<1>(ts::polar(x, ts::left_side)); }, z<2, 3, 4>(1)),
         recorded_complex::polar_left, 1e-9);
}

constexpr auto definite = [](auto x) { return ts::matmul(x, ts::conj(ts::swapaxes<-1, -2>(x))) + 4.0 * ts::eye<4>(); };
TEST(functions_of_complex_matrices, products_and_solutions) {
  auto const a = z<4, 3>(2);
  auto const scales = z<3>(1);
  expect(std::tuple{ts::householder_product(a, scales)}, recorded_complex::householder_product);
  expect(std::tuple{ts::ormqr(a, scales, z<4, 2>()), ts::ormqr(a, scales, z<4, 2>(), ts::transpose_a),
                    ts::ormqr(a, scales, z<2, 4>(), ts::right_side),
                    ts::ormqr(a, scales, z<2, 4>(), ts::right_side, ts::transpose_a)},
         recorded_complex::ormqr);
  expect(std::tuple_cat(ts::qr_multiply(a, z<2, 4>()),
                        std::tuple{std::get<0>(ts::qr_multiply(a, z<3, 2>(), ts::left_side))}),
         recorded_complex::qr_multiply);
  auto const lower = [](auto x, auto b) {
    return ts::cho_solve(ts::cho_factor(definite(x), ts::lower_triangle), b, ts::lower_triangle);
  };
  auto const upper = [](auto x, auto b) { return ts::cho_solve(ts::cho_factor(definite(x)), b); };
  expect(
      std::tuple_cat(with_slopes(lower, z<2, 4, 4>(), z<2, 4, 3>(1)), with_slopes(upper, z<2, 4, 4>(), z<2, 4, 3>(1))),
      recorded_complex::cho_solve);
  auto const [w, v] = ts::eigh_tridiagonal(z<4>(), z<3>(1));
  expect(std::tuple{w, ts::abs(v)}, recorded_complex::eigh_tridiagonal);
  expect(with_slopes([](auto x, auto y) { return ts::polyfit<2>(x, y); }, z<6>(), z<6>(2)), recorded_complex::polyfit,
         1e-9);
}

// JAX takes real ones only: U^H U + w w^H, written out.
TEST(functions_of_complex_matrices, cholesky_update) {
  auto const u = ts::cho_factor(definite(z<4, 4>()));
  auto const w = z<4>(1);
  auto const updated = ts::cholesky_update(u, w);
  auto const before = numbers(u), after = numbers(updated), added = numbers(w);
  auto const at = [](std::vector<double> const& x, std::size_t i) { return number(x[2 * i], x[2 * i + 1]); };
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      number sum = at(added, i) * std::conj(at(added, j));
      for (std::size_t k = 0; k < 4; ++k) {
        sum += std::conj(at(before, 4 * k + i)) * at(before, 4 * k + j);
        sum -= std::conj(at(after, 4 * k + i)) * at(after, 4 * k + j);
      }
      EXPECT_LT(std::abs(sum), 1e-13) << i << ' ' << j;
      EXPECT_LT(i > j ? std::abs(at(after, 4 * i + j)) : 0, 1e-15);
    }
}

}  // namespace
