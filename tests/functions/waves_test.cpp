// SPDX-License-Identifier: Apache-2.0
// nightly
// fresnel and sici against JAX's, and against mpmath's over a wide range.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
void expect_all(std::string const& name, F f) {
  expect_recorded<float[8][3]>(name.c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[8][1]>((name + " edges").c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[8][3]>((name + " wide float32").c_str(), f, 2e-6);
  expect_recorded<double[8][3]>((name + " wide float64").c_str(), f, -1e-12);
}

TEST(waves, fresnel) {
  expect_all("fresnel", [](auto x) { return ts::fresnel(x); });
}
TEST(waves, sici) {
  expect_all("sici", [](auto x) { return ts::sici(x); });
}

}  // namespace
