// SPDX-License-Identifier: Apache-2.0
// nightly
// Bessel functions of whole orders against JAX's, and against mpmath's within an absolute error: near a zero no digit of
// a float is right.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <int Order>
void expect_order() {
  auto const f = [](auto z) { return ts::bessel_jn<6>(z).at(Order).get(); };
  for (std::string const place : {"near", "far"}) {
    auto const name = "bessel_jn of order " + std::to_string(Order) + " " + place;
    expect_recorded<float[8][3]>((name + " float32").c_str(), f, 1e-6);
    expect_recorded<double[8][3]>((name + " float64").c_str(), f, 4e-15);
  }
}
TEST(bessel_jn, of_order_0) { expect_order<0>(); }
TEST(bessel_jn, of_order_1) { expect_order<1>(); }
TEST(bessel_jn, of_order_5) { expect_order<5>(); }

TEST(bessel_jn, all_orders) {
  expect_recorded<float[8][3]>(
      "bessel_jn 3", [](auto z) { return ts::bessel_jn<3, 16>(z); }, 2e-6);
}

// Far from 0 the standard library's is the oracle; more terms reach it.
TEST(bessel_jn, more_terms_reach_farther) {
  auto const z = ts::asarray({60.0, -75.5, 90.25});
  auto const j = ts::jit([](auto z) { return ts::bessel_jn<2, 150>(z); })(z).to_host();
  for (unsigned k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      double const x = z.to_host()[i];
      EXPECT_NEAR(j[k * 3 + i], std::cyl_bessel_j(k, std::fabs(x)) * (x < 0 && k % 2 ? -1 : 1), 1e-13);
    }
}

// Beside the smallest numbers, and at 0.
TEST(bessel_jn, at_zero) {
  auto const j = ts::bessel_jn<3>(ts::asarray({0.f, -0.f, 1e-30f})).to_host();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(j[i], 1.f);
    EXPECT_NEAR(j[3 + i], i == 2 ? 5e-31f : 0.f, 1e-36f);
    EXPECT_NEAR(j[9 + i], 0.f, 1e-36f);
  }
  EXPECT_EQ(ts::bessel_jn<1>(ts::asarray(0)).to_host()[0], 1.f);
}

}  // namespace
