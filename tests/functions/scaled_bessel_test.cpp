// SPDX-License-Identifier: Apache-2.0
// nightly
// Bessel functions times exp(-|x|) against JAX's, and against mpmath's within a relative error over a wide range.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
void expect_all(std::string const& name, F f) {
  expect_recorded<float[8][3]>(name.c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[16]>((name + " edges").c_str(), f, 2e-6);
  expect_recorded<float[8][3]>((name + " wide float32").c_str(), f, 2e-6);
  expect_recorded<double[8][3]>((name + " wide float64").c_str(), f, -1e-13);
}

TEST(scaled_bessel, of_order_0) {
  expect_all("i0e", [](auto x) { return ts::i0e(x); });
}
TEST(scaled_bessel, of_order_1) {
  expect_all("i1e", [](auto x) { return ts::bessel_i1e(x); });
}

}  // namespace
