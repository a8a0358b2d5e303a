// SPDX-License-Identifier: Apache-2.0
// nightly
// Polynomials, and products of segments, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

constexpr auto polyval = [](auto p, auto x) { return ts::polyval(p, x); };

TEST(polynomials, values) {
  expect_recorded<whole, float[4], float[8][3]>("polyval", polyval);
  expect_recorded<whole, not_sloped, float[4], float[16]>("polyval edges", polyval);
  expect_recorded<whole, float[40], float[8][3]>("polyval of many", polyval);
  expect_recorded<whole, float[3][4], float[8][3]>(
      "polyval of several", [](auto p, auto x) { return ts::polyval(ts::matrix_transpose(p), x); });
  expect_recorded<whole, int[4], int[8]>("polyval of integers", polyval);
}
TEST(polynomials, sums_and_products) {
  expect_recorded<whole, float[6], float[4]>("polyadd", [](auto p, auto q) { return ts::polyadd(p, q); });
  expect_recorded<whole, int[3], int[3]>("polyadd of integers", [](auto p, auto q) { return ts::polyadd(p, q); });
  expect_recorded<whole, float[4], float[6]>("polysub", [](auto p, auto q) { return ts::polysub(p, q); });
  expect_recorded<whole, float[6], float[4]>("polymul", [](auto p, auto q) { return ts::polymul(p, q); });
  expect_recorded<whole, int[3], int[2]>("polymul of integers", [](auto p, auto q) { return ts::polymul(p, q); });
}
TEST(polynomials, quotients) {
  constexpr auto polydiv = [](auto p, auto q) { return ts::polydiv(p, q); };
  expect_recorded<whole, float[6], float[4]>("polydiv", polydiv);
  expect_recorded<whole, float[6], float[1]>("polydiv by a number", polydiv);
  expect_recorded<whole, float[4], float[6]>("polydiv by a longer one", polydiv);
}

TEST(segments, products) {
  expect_recorded<not_sloped, whole, float[8][3], int[8]>("segment_prod",
                                                          [](auto x, auto ids) { return ts::segment_prod<4>(x, ids); });
  expect_recorded<whole, int[8], int[8]>("segment_prod of integers",
                                         [](auto x, auto ids) { return ts::segment_prod<4>(x, ids); });
}

}  // namespace
