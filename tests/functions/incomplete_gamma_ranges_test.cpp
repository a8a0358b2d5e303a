// SPDX-License-Identifier: Apache-2.0
// nightly
// Incomplete gamma functions against mpmath's where a or x is small or large, within relative errors.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
void expect_ranges(std::string const& name, F f) {
  expect_recorded<float[8][3], float[8][3]>((name + " small float32").c_str(), f, -1e-5);
  expect_recorded<double[8][3], double[8][3]>((name + " small float64").c_str(), f, -1e-12);
  expect_recorded<float[8][3], float[8][3]>((name + " large float32").c_str(), f, -1e-5);
  expect_recorded<double[8][3], double[8][3]>((name + " large float64").c_str(), f, -1e-12);
}

TEST(incomplete_gamma_ranges, lower) {
  expect_ranges("gammainc", [](auto a, auto x) { return ts::gammainc(a, x); });
}
TEST(incomplete_gamma_ranges, upper) {
  expect_ranges("gammaincc", [](auto a, auto x) { return ts::igammac(a, x); });
}

}  // namespace
