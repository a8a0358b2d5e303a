// SPDX-License-Identifier: Apache-2.0
// nightly
// erfcx, dawsn and spence against JAX's, and against mpmath's within a relative error over a wide range.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class... Settings, class F>
void expect_all(std::string const& name, F f) {
  expect_recorded<Settings..., float[8][3]>(name.c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[8][1]>((name + " edges").c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[8][3]>((name + " wide float32").c_str(), f, -5e-6);
  expect_recorded<double[8][3]>((name + " wide float64").c_str(), f, -1e-13);
}

TEST(integrals, erfcx) {
  auto const f = [](auto x) { return ts::erfcx(x); };
  expect_all("erfcx", f);
  expect_recorded<not_sloped, double[8][1]>("erfcx far float64", f, -1e-13);
}
TEST(integrals, dawsn) {
  expect_all("dawsn", [](auto x) { return ts::dawsn(x); });
}
TEST(integrals, spence) {
  expect_all<not_sloped>("spence", [](auto x) { return ts::spence(x); });
}
TEST(integrals, where_jax_has_no_limit) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ts::spence(ts::asarray(infinity)).to_host()[0], -infinity);
  EXPECT_EQ(ts::expi(ts::asarray(0.f)).to_host()[0], -infinity);
  EXPECT_EQ(ts::expi(ts::asarray(infinity)).to_host()[0], infinity);
  EXPECT_EQ(ts::exp1(ts::asarray(infinity)).to_host()[0], 0);
}

}  // namespace
