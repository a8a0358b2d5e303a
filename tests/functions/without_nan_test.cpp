// SPDX-License-Identifier: Apache-2.0
// nightly
// Statistics that leave NaN out, against JAX's values and gradients. A row of the inputs is all NaN.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(without_nan, moments) {
  expect_recorded<float[8][6]>("nanvar", [](auto x) { return ts::nanvar(x); });
  expect_recorded<not_sloped, float[8][6]>("nanvar 1", [](auto x) { return ts::nanvar<1>(x); });
  expect_recorded<float[8][6]>("nanvar 0", [](auto x) { return ts::nanvar<0>(x); });
  expect_recorded<not_sloped, float[8][6]>("nanvar ddof", [](auto x) { return ts::nanvar<1>(x, ts::ddof<1>); });
  expect_recorded<float[8][6]>("nanvar keepdims", [](auto x) { return ts::nanvar<0>(x, ts::keepdims); });
  expect_recorded<float[8][6]>("nanstd", [](auto x) { return ts::nanstd(x); });
  expect_recorded<not_sloped, float[8][6]>("nanstd 1", [](auto x) { return ts::nanstd<1>(x); });
  expect_recorded<float[8][6]>("nanstd 0", [](auto x) { return ts::nanstd<0>(x); });
}
TEST(without_nan, quantiles) {
  expect_recorded<whole, float[8][6]>("nanmedian", [](auto x) { return ts::nanmedian(x); });
  expect_recorded<not_sloped, float[8][6]>("nanmedian 1", [](auto x) { return ts::nanmedian<1>(x); });
  expect_recorded<whole, float[8][6]>("nanmedian 0", [](auto x) { return ts::nanmedian<0>(x); });
  expect_recorded<whole, float[8][6]>("nanquantile", [](auto x) { return ts::nanquantile(x, 0.3); });
  expect_recorded<not_sloped, float[8][6]>("nanquantile 1", [](auto x) { return ts::nanquantile<1>(x, 0.3); });
  expect_recorded<whole, float[8][6]>("nanpercentile 0", [](auto x) { return ts::nanpercentile<0>(x, 80); });
  expect_recorded<whole, float[8][6]>("percentile", [](auto x) { return ts::percentile(x, 30); });
  expect_recorded<float[8][6]>("percentile 1", [](auto x) { return ts::percentile<1>(x, 30); });
}
constexpr auto quarters() { return ts::astype<float>(ts::arange<5>()) * 0.25; }
TEST(without_nan, rows_of_quantiles) {
  expect_recorded<whole, float[8][6]>("nanquantile of a row", [](auto x) { return ts::nanquantile(x, quarters()); });
  expect_recorded<not_sloped, float[8][6]>("nanquantile 1 of a row",
                                           [](auto x) { return ts::nanquantile<1>(x, quarters()); });
  expect_recorded<whole, float[8][6]>("nanpercentile 0 of a row",
                                      [](auto x) { return ts::nanpercentile<0>(x, 90 * quarters()); });
  expect_recorded<whole, float[8][6]>("quantile of a row", [](auto x) { return ts::quantile(x, quarters()); });
  expect_recorded<whole, float[8][6]>("quantile 0 of a row",
                                      [](auto x) { return ts::quantile<0>(x, 0.9 * quarters()); });
  expect_recorded<float[8][6]>("quantile 1 of a row", [](auto x) { return ts::quantile<1>(x, 0.9 * quarters()); });
  expect_recorded<float[8][6]>("percentile 1 of a row", [](auto x) { return ts::percentile<1>(x, 90 * quarters()); });
}
TEST(without_nan, places_and_running_sums) {
  expect_recorded<not_sloped, whole, float[8][6]>("nanargmax", [](auto x) { return ts::nanargmax(x); });
  expect_recorded<not_sloped, float[8][6]>("nanargmax 1", [](auto x) { return ts::nanargmax<1>(x); });
  expect_recorded<not_sloped, float[8][6]>("nanargmax 0", [](auto x) { return ts::nanargmax<0>(x); });
  expect_recorded<not_sloped, whole, float[8][6]>("nanargmin", [](auto x) { return ts::nanargmin(x); });
  expect_recorded<not_sloped, float[8][6]>("nanargmin 1", [](auto x) { return ts::nanargmin<1>(x); });
  expect_recorded<not_sloped, float[8][6]>("nanargmin 0", [](auto x) { return ts::nanargmin<0>(x); });
  expect_recorded<whole, float[8][6]>("nancumsum", [](auto x) { return ts::nancumsum(x); });
  expect_recorded<not_sloped, float[8][6]>("nancumsum 1", [](auto x) { return ts::nancumsum<1>(x); });
  expect_recorded<whole, float[8][6]>("nancumsum 0", [](auto x) { return ts::nancumsum<0>(x); });
  expect_recorded<whole, float[8][6]>("nancumprod", [](auto x) { return ts::nancumprod(x); });
  expect_recorded<not_sloped, float[8][6]>("nancumprod 1", [](auto x) { return ts::nancumprod<1>(x); });
  expect_recorded<whole, float[8][6]>("nancumprod 0", [](auto x) { return ts::nancumprod<0>(x); });
}

}  // namespace
