// SPDX-License-Identifier: Apache-2.0
// nightly
// Bessel functions against JAX's, and against mpmath's within a relative error over a wide range.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
void expect_wide(std::string const& name, F f) {
  expect_recorded<float[8][3]>((name + " wide float32").c_str(), f, -2e-6);
  expect_recorded<double[8][3]>((name + " wide float64").c_str(), f, -2e-14);
}

TEST(bessel, of_order_0) {
  auto const f = [](auto x) { return ts::i0(x); };
  expect_recorded<float[8][3]>("i0", f, -2e-6);
  expect_recorded<whole, not_sloped, float[14]>("i0 edges", f, -2e-6);
  expect_wide("i0", f);
}
TEST(bessel, of_order_1) {
  auto const f = [](auto x) { return ts::i1(x); };
  expect_recorded<float[8][3]>("i1", f, -2e-6);
  expect_recorded<whole, not_sloped, float[14]>("i1 edges", f, -2e-6);
  expect_wide("i1", f);
}
TEST(bessel, kaiser) {
  expect_recorded<whole, float[1]>(
      "kaiser", [](auto b) { return ts::kaiser<7>(b); }, 2e-6);
}
// A whole number of no dimension: its slope's type waits for nothing, which clang needs.
TEST(bessel, of_one_integer) {
  EXPECT_NEAR(ts::i0(ts::asarray(0)).to_host()[0], 1, 3e-7);
  EXPECT_EQ(ts::i1e(ts::asarray(0)).to_host()[0], 0.f);
  EXPECT_NEAR(ts::erfcx(ts::asarray(0)).to_host()[0], 1, 3e-7);
  EXPECT_EQ(ts::dawsn(ts::asarray(0)).to_host()[0], 0.f);
}
TEST(bessel, infinite_where_the_value_is) {
  auto const at = ts::i0(ts::asarray(90.f));
  EXPECT_NEAR(at.to_host()[0] / 5.139238e37, 1, 1e-5);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ts::i1(ts::asarray(-infinity)).to_host()[0], -infinity);
}

}  // namespace
