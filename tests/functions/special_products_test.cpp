// SPDX-License-Identifier: Apache-2.0
// nightly
// Sums and products of gamma functions and their gradients against JAX's of float64, each within a relative error.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

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
