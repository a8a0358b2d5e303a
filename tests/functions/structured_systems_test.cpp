// SPDX-License-Identifier: Apache-2.0
// nightly
// What goes through a matrix row by row or column by column, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(structured_systems, of_three_diagonals) {
  constexpr auto solve = [](auto dl, auto d, auto du, auto b) { return ts::tridiagonal_solve(dl, d, du, b); };
  expect_recorded<float[8][5], float[8][5], float[8][5], float[8][5][2]>("tridiagonal_solve", solve, 1e-5);
  expect_recorded<float[8][5], float[8][5], float[8][5], float[8][5][2]>("tridiagonal_solve of zeros", solve, 1e-5);
  expect_recorded<not_sloped, float[8][1], float[8][1], float[8][1], float[8][1][2]>("tridiagonal_solve of one", solve);
}
TEST(structured_systems, rotations_and_reflections) {
  expect_recorded<not_sloped, float[8][3][3], float[8][3]>("cholesky_update",
                                                           [](auto u, auto w) { return ts::cholesky_update(u, w); });
  expect_recorded<float[8][3][3], float[8][3]>(
      "cholesky_update slopes", [](auto u, auto w) { return ts::triu(ts::cholesky_update(ts::triu(u), w)); }, 5e-6);
  expect_recorded<not_sloped, float[8][5][3], float[8][2]>(
      "householder_product", [](auto a, auto taus) { return ts::householder_product(a, taus); });
  expect_recorded<float[8][5][3], float[8][2]>("householder_product slopes",
                                               [](auto a, auto taus) { return ts::householder_product(a, taus); });
  using a = float[8][5][3];
  using taus = float[8][3];
  expect_recorded<a, taus, float[8][2][5]>(
      "ormqr slopes", [](auto a, auto taus, auto c) { return ts::ormqr(a, taus, c, ts::right_side); });
  expect_recorded<not_sloped, a, taus, float[8][5][2]>("ormqr",
                                                       [](auto a, auto taus, auto c) { return ts::ormqr(a, taus, c); });
  expect_recorded<not_sloped, a, taus, float[8][5][2]>(
      "ormqr transposed", [](auto a, auto taus, auto c) { return ts::ormqr(a, taus, c, ts::transpose_a); });
  expect_recorded<not_sloped, a, taus, float[8][2][5]>(
      "ormqr right", [](auto a, auto taus, auto c) { return ts::ormqr(a, taus, c, ts::right_side); });
  expect_recorded<not_sloped, a, taus, float[8][2][5]>("ormqr right transposed", [](auto a, auto taus, auto c) {
    return ts::ormqr(a, taus, c, ts::right_side, ts::transpose_a);
  });
  expect_recorded<not_sloped, float[8][4][3], float[8][2][4]>("qr_multiply",
                                                              [](auto a, auto c) { return ts::qr_multiply(a, c); });
  expect_recorded<not_sloped, whole, float[4][3], float[3]>(
      "qr_multiply left", [](auto a, auto c) { return ts::qr_multiply(a, c, ts::left_side); });
}

}  // namespace
