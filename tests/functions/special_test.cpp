// SPDX-License-Identifier: Apache-2.0
// nightly
// Special functions and their gradients against JAX's of float64, each within a relative error: float32 and float64.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(special, gamma_and_its_slopes) {
  expect_of(
      "gammaln", [](auto x) { return ts::gammaln(x); }, 1e-5);
  expect_of(
      "gammaln below", [](auto x) { return ts::lgamma(x); }, 1e-4);
  expect_of(
      "digamma", [](auto x) { return ts::digamma(x); }, 1e-5);
  expect_of(
      "digamma below", [](auto x) { return ts::digamma(x); }, 1e-5);
  expect_of(
      "gamma", [](auto x) { return ts::gamma(x); }, 1e-4, 1e-12);
  expect_of(
      "gamma below", [](auto x) { return ts::gamma(x); }, 1e-5);
  expect_of<not_sloped>(
      "gammasgn", [](auto x) { return ts::gammasgn(x); }, 1e-9);
  expect_of<not_sloped>(
      "factorial", [](auto x) { return ts::factorial(x); }, 1e-4);
}
TEST(special, normal_numbers) {
  expect_of(
      "ndtr", [](auto x) { return ts::ndtr(x); }, 1e-5);
  expect_of(
      "log_ndtr", [](auto x) { return ts::log_ndtr(x); }, 1e-5, 1e-9);
  expect_of(
      "ndtri", [](auto x) { return ts::ndtri(x); }, 1e-4, 1e-11);
  expect_recorded<float[8]>(
      "ndtri tails float32", [](auto x) { return ts::ndtri(x); }, -1e-4);
  expect_recorded<double[8]>(
      "ndtri tails float64", [](auto x) { return ts::ndtri(x); }, -1e-10);
}
TEST(special, logarithms_of_products) {
  expect_of_two(
      "xlogy", [](auto x, auto y) { return ts::xlogy(x, y); }, 1e-6);
  expect_of_two(
      "xlog1py", [](auto x, auto y) { return ts::xlog1py(x, y); }, 1e-6);
  expect_of(
      "entr", [](auto x) { return ts::entr(x); }, 1e-5);
  expect_of_two(
      "rel_entr", [](auto x, auto y) { return ts::rel_entr(x, y); }, 1e-4, 1e-11);
  expect_of_two(
      "kl_div", [](auto x, auto y) { return ts::kl_div(x, y); }, 1e-4, 1e-11);
  expect_of(
      "logit", [](auto x) { return ts::logit(x); }, 1e-5);
  expect_of_two<not_sloped>(
      "boxcox", [](auto x, auto l) { return ts::boxcox(x, l); }, 1e-4, 1e-11);
  expect_of_two<not_sloped>(
      "boxcox1p", [](auto x, auto l) { return ts::boxcox1p(x, l); }, 1e-4, 1e-11);
}
TEST(special, at_edges) {
  expect_recorded<not_sloped, float[16]>(
      "entr edges", [](auto x) { return ts::entr(x); }, -1e-5);
  expect_recorded<not_sloped, float[16], float[16]>(
      "xlogy edges", [](auto x, auto y) { return ts::xlogy(x, y); }, -1e-5);
  expect_recorded<not_sloped, float[16]>(
      "gammaln edges", [](auto x) { return ts::gammaln(x); }, 1e-5);
  expect_recorded<not_sloped, float[16]>(
      "digamma edges", [](auto x) { return ts::digamma(x); }, -1e-5);
  expect_recorded<not_sloped, float[16]>(
      "ndtri edges", [](auto x) { return ts::ndtri(x); }, -1e-5);
  expect_recorded<not_sloped, float[16]>(
      "logit edges", [](auto x) { return ts::logit(x); }, -1e-5);
}

}  // namespace
