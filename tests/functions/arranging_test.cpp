// SPDX-License-Identifier: Apache-2.0
// nightly
// Comparisons, sums, places and sets of whole arrays against JAX.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(arranging, equal_after_broadcasting) {
  expect_recorded<not_sloped, whole, float[8][6], float[6]>(
      "array_equiv", [](auto x, auto y) { return ts::array_equiv(x, y); }, 0);
  expect_recorded<not_sloped, whole, float[8][6], float[6]>(
      "array_equiv not", [](auto x, auto y) { return ts::array_equiv(x, y); }, 0);
  EXPECT_FALSE(bool(ts::array_equiv(ts::asarray(ts::ones<float, 8, 6>()), ts::asarray(ts::ones<float, 5>()))));
}
TEST(arranging, sums_and_products) {
  expect_recorded<float[8][6]>(
      "cumulative_sum", [](auto x) { return ts::cumulative_sum<1>(x, ts::include_initial); }, 1e-6);
  expect_recorded<float[8][6]>(
      "cumulative_prod", [](auto x) { return ts::cumulative_prod<1>(x); }, 1e-5);
  expect_recorded<int[8][6]>(
      "cumulative_prod initial", [](auto x) { return ts::cumulative_prod<1>(x, ts::include_initial); }, 0);
}
TEST(arranging, distances_of_floats) {
  expect_recorded<not_sloped, float[8]>(
      "spacing", [](auto x) { return ts::spacing(x); }, -1e-9);
}
TEST(arranging, places) {
  expect_recorded<whole, int[8], int[3]>(
      "ix_", [](auto i, auto j) { return ts::ix_(i, j); }, 0);
  expect_made("indices", [] { return ts::indices<3, 4>(); });
  expect_made("fromfunction", [] { return ts::fromfunction<3, 4>([](auto i, auto j) { return i * 10 + j; }); });
}
TEST(arranging, sets_with_places) {
  expect_recorded<whole, int[12]>(
      "unique_all", [](auto x) { return ts::unique_all<7>(x); }, 0);
}
TEST(arranging, histograms_and_transforms) {
  expect_recorded<float[8][6]>(
      "gradient", [](auto x) { return ts::central_differences(x, 0.5); }, 1e-6);
  expect_recorded<float[8][2]>(
      "gradient of two", [](auto x) { return ts::central_differences<1>(x); }, 1e-6);
  expect_recorded<not_sloped, whole, float[48], float[48]>(
      "histogram2d", [](auto x, auto y) { return ts::histogram2d<3, 4>(x, y); }, 1e-6);
  expect_recorded<float[8][6]>(
      "hfft of reals", [](auto x) { return ts::hfft(x); }, 1e-5);
  expect_recorded<float[8][6]>(
      "ihfft", [](auto x) { return ts::real(ts::ihfft(x)); }, 1e-5);
  expect_recorded<float[8][6]>(
      "ihfft imaginary", [](auto x) { return ts::imag(ts::ihfft(x)); }, 1e-5);
}

}  // namespace
