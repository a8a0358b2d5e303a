// SPDX-License-Identifier: Apache-2.0
// nightly
// hyp1f1 against mpmath's within a relative error, and JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

constexpr auto kummer = [](auto a, auto b, auto x) { return ts::hyp1f1(a, b, x); };

TEST(hyp1f1, near_zero) {
  expect_recorded<float[8][3], float[8][3], float[8][3]>("hyp1f1 near float32", kummer, -2e-5);
  expect_recorded<double[8][3], double[8][3], double[8][3]>("hyp1f1 near float64", kummer, -1e-13);
  expect_recorded<not_sloped, float[8][3], float[8][3], float[8][3]>("hyp1f1 JAX", kummer, -1e-4);
}
TEST(hyp1f1, far_away) {
  expect_recorded<double[8][1], double[8][1], double[8][1]>("hyp1f1 far float64", kummer, -1e-12);
}
TEST(hyp1f1, negative_operands) {
  expect_recorded<float[8][1], float[8][1], float[8][1]>("hyp1f1 negative float32", kummer, -1e-4);
  expect_recorded<double[8][1], double[8][1], double[8][1]>("hyp1f1 negative float64", kummer, -1e-12);
}
TEST(hyp1f1, edges) {
  auto const values = ts::hyp1f1(ts::asarray({0.0, 2.0, 2.0, 0.0, 1.5}), ts::asarray({0.0, 0.0, -3.0, 2.0, -1.0}),
                                 ts::asarray({5.0, 1.0, 2.0, 9.0, 0.0}))
                          .to_host();
  EXPECT_EQ(values[0], 1);
  EXPECT_TRUE(std::isinf(values[1]) && std::isinf(values[2]));
  EXPECT_EQ(values[3], 1);
  EXPECT_EQ(values[4], 1);
}

}  // namespace
