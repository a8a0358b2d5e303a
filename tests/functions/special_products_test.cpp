// SPDX-License-Identifier: Apache-2.0
// nightly
// Sums and products of gamma functions and their gradients against JAX's of float64, each within a relative error.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

// Relative errors of float32 and of float64.
template <class... Settings, class F>
void expect_of(std::string const& name, F f, double narrow, double wide = 1e-12) {
  expect_recorded<Settings..., float[8][6]>((name + " float32").c_str(), f, -narrow);
  expect_recorded<Settings..., double[8][6]>((name + " float64").c_str(), f, -wide);
}
template <class... Settings, class F>
void expect_of_two(std::string const& name, F f, double narrow, double wide = 1e-12) {
  expect_recorded<Settings..., float[8][6], float[8][6]>((name + " float32").c_str(), f, -narrow);
  expect_recorded<Settings..., double[8][6], double[8][6]>((name + " float64").c_str(), f, -wide);
}

TEST(special_products, sums_and_products_of_gammas) {
  expect_of(
      "polygamma 1", [](auto x) { return ts::polygamma(1, x); }, 1e-5);
  expect_of(
      "polygamma 2", [](auto x) { return ts::polygamma(2, x); }, 1e-5);
  expect_of(
      "polygamma 3", [](auto x) { return ts::polygamma(3, x); }, 1e-5);
  expect_of_two<not_sloped>(
      "zeta", [](auto s, auto q) { return ts::zeta(s, q); }, 1e-5);
  expect_of_two(
      "betaln", [](auto a, auto b) { return ts::betaln(a, b); }, 1e-4);
  expect_of_two(
      "beta", [](auto a, auto b) { return ts::beta(a, b); }, 1e-4);
  expect_of_two<not_sloped>(
      "poch", [](auto a, auto b) { return ts::poch(a, b); }, 1e-4);
  expect_of(
      "multigammaln", [](auto x) { return ts::multigammaln<3>(x); }, 1e-4);
}

}  // namespace
