// SPDX-License-Identifier: Apache-2.0
// nightly
// Incomplete gamma functions against JAX's, within relative errors. incomplete_gamma_ranges_test.cpp: small and large a and x.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
void expect_all(std::string const& name, F f) {
  expect_recorded<float[8][3], float[8][3]>((name + " float32").c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[8][2], float[8][2]>((name + " edges").c_str(), f, 2e-6);
}

TEST(incomplete_gamma, lower) {
  expect_all("gammainc", [](auto a, auto x) { return ts::gammainc(a, x); });
}
TEST(incomplete_gamma, upper) {
  expect_all("gammaincc", [](auto a, auto x) { return ts::igammac(a, x); });
}
TEST(incomplete_gamma, slope) {
  expect_recorded<not_sloped, float[8][3], float[8][3]>("igamma_grad_a",
                                                        [](auto a, auto x) { return ts::igamma_grad_a(a, x); });
}

}  // namespace
