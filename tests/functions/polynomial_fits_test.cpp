// SPDX-License-Identifier: Apache-2.0
// nightly
// Derivatives and integrals of polynomials, and those through roots and near points, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(polynomial_fits, derivatives_and_integrals) {
  expect_recorded<whole, float[6]>("polyder", [](auto p) { return ts::polyder(p); });
  expect_recorded<whole, float[6]>("polyder 2", [](auto p) { return ts::polyder<2>(p); });
  expect_recorded<whole, int[3]>("polyder of integers", [](auto p) { return ts::polyder<0>(p); });
  expect_recorded<whole, float[6]>("polyint", [](auto p) { return ts::polyint(p); });
  expect_recorded<whole, float[6], float[2]>("polyint 2", [](auto p, auto k) { return ts::polyint<2>(p, k); });
  expect_recorded<whole, int[3]>("polyint of integers", [](auto p) { return ts::polyint<2>(p, 3); });
}
TEST(polynomial_fits, through_roots_and_near_points) {
  expect_recorded<whole, float[6]>("poly", [](auto r) { return ts::poly(r); });
  expect_recorded<whole, float[8], float[8]>(
      "polyfit", [](auto x, auto y) { return ts::polyfit<3>(x, y); }, 1e-5);
  expect_recorded<whole, float[8], float[8][2], float[8]>(
      "polyfit weighted", [](auto x, auto y, auto w) { return ts::polyfit<2>(x, y, w); }, 1e-5);
  expect_recorded<whole, double[8], double[8]>(
      "polyfit float64", [](auto x, auto y) { return ts::polyfit<4>(x, y); }, 1e-13);
}

}  // namespace
