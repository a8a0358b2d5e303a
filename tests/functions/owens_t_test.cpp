// SPDX-License-Identifier: Apache-2.0
// nightly
// owens_t and comb against JAX's, and against mpmath's within a relative error over a wide range.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(owens_t, as_jax) {
  auto const f = [](auto h, auto a) { return ts::owens_t(h, a); };
  expect_recorded<float[8][3], float[8][3]>("owens_t", f, 2e-6);
  expect_recorded<not_sloped, float[8][1], float[8][1]>("owens_t edges", f, 2e-6);
  expect_recorded<float[8][3], float[8][3]>("owens_t wide float32", f, -1e-5);
  expect_recorded<double[8][3], double[8][3]>("owens_t wide float64", f, -1e-13);
}
TEST(combinations, comb) {
  auto const f = [](auto n, auto k) { return ts::comb(n, k); };
  expect_recorded<not_sloped, float[8], float[8]>("comb", f, -1e-5);
  expect_recorded<int[8], int[8]>("comb of integers", f, -1e-5);
  expect_recorded<double[8][3], double[8][3]>("comb float64", f, -1e-12);
}

}  // namespace
