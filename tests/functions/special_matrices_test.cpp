// SPDX-License-Identifier: Apache-2.0
// nightly
// Matrices made of vectors, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(special_matrices, equal_along_diagonals) {
  expect_recorded<float[8][4], float[8][3]>("toeplitz", [](auto c, auto r) { return ts::toeplitz(c, r); });
  expect_recorded<whole, int[4]>("toeplitz of integers", [](auto c) { return ts::toeplitz(c); });
  expect_recorded<float[8][4], float[8][3]>("hankel", [](auto c, auto r) { return ts::hankel(c, r); });
  expect_recorded<float[8][3]>("hankel of one", [](auto c) { return ts::hankel(c); });
  expect_recorded<float[8][4]>("circulant", [](auto c) { return ts::circulant(c); });
  expect_recorded<float[8][3]>("convolution_matrix", [](auto a) { return ts::convolution_matrix<4>(a); });
  expect_recorded<float[8][3]>("convolution_matrix same",
                               [](auto a) { return ts::convolution_matrix<4>(a, ts::same); });
  expect_recorded<float[8][5]>("convolution_matrix valid",
                               [](auto a) { return ts::convolution_matrix<2>(a, ts::valid); });
}
TEST(special_matrices, of_polynomials_and_populations) {
  expect_recorded<float[8][4]>("companion", [](auto a) { return ts::companion(a); });
  expect_recorded<float[8][7]>("fiedler_companion", [](auto a) { return ts::fiedler_companion(a); });
  expect_recorded<float[8][2]>("fiedler_companion of two", [](auto a) { return ts::fiedler_companion(a); });
  expect_recorded<float[8][3]>("fiedler", [](auto a) { return ts::fiedler(a); });
  expect_recorded<float[8][4], float[8][3]>("leslie", [](auto f, auto s) { return ts::leslie(f, s); });
  expect_recorded<whole, float[2][3], float[4], int[2][2]>(
      "block_diag", [](auto a, auto b, auto c) { return ts::block_diag(a, b, c); });
}

}  // namespace
