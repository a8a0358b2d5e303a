// SPDX-License-Identifier: Apache-2.0
// Solutions by factors of matrices, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(linear_systems, triangles) {
  expect_recorded<float[8][3][3], float[8][3][2]>("solve_triangular",
                                                  [](auto a, auto b) { return ts::solve_triangular(a, b); });
  expect_recorded<whole, float[3][3], float[3]>(
      "solve_triangular lower",
      [](auto a, auto b) { return ts::solve_triangular(a, b, ts::lower_triangle, ts::transpose_a, ts::unit_diagonal); },
      1e-5);
  expect_recorded<float[8][3][3], float[8][3][2]>(
      "cho_solve", [](auto a, auto b) { return ts::cho_solve(ts::cho_factor(a), b); }, 5e-6);
  expect_recorded<whole, float[3][3], float[3]>("cho_solve lower", [](auto a, auto b) {
    return ts::cho_solve(ts::cho_factor(a, ts::lower_triangle), b, ts::lower_triangle);
  });
  expect_recorded<float[8][3][3]>("cho_factor", [](auto a) { return ts::cho_factor(a); });
}

#ifndef TESSERA_BY_DAY
TEST(linear_systems, exchanged_rows) {
  expect_recorded<not_sloped, float[8][3][3]>("lu_factor", [](auto a) { return ts::lu_factor(a); });
  expect_recorded<float[8][3][3], float[8][3][2]>(
      "lu_solve", [](auto a, auto b) { return ts::lu_solve(ts::lu_factor(a), b); }, 1e-5);
  expect_recorded<whole, float[5][5], float[5]>(
      "lu_solve transposed", [](auto a, auto b) { return ts::lu_solve(ts::lu_factor(a), b, ts::transpose_a); }, 1e-5);
  expect_recorded<int[4][4]>("lu_pivots_to_permutation", [](auto p) { return ts::lu_pivots_to_permutation<6>(p); });
}
TEST(linear_systems, of_several_dimensions) {
  expect_recorded<whole, float[2][3][6]>(
      "tensorinv", [](auto a) { return ts::tensorinv(a); }, 1e-5);
  expect_recorded<whole, float[6][3][2]>(
      "tensorinv 1", [](auto a) { return ts::tensorinv<1>(a); }, 1e-5);
  expect_recorded<whole, float[2][3][6][1], float[2][3]>(
      "tensorsolve", [](auto a, auto b) { return ts::tensorsolve(a, b); }, 1e-5);
}
#endif

}  // namespace
