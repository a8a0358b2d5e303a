// SPDX-License-Identifier: Apache-2.0
// nightly
// Sets, orders by several keys, products of vectors and histograms, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(sets, of_a_static_size) {
  expect_recorded<whole, int[12]>("unique", [](auto x) { return ts::unique<10>(x); });
  expect_recorded<whole, not_sloped, float[8][6]>("unique of floats", [](auto x) { return ts::unique<6>(x); });
  expect_recorded<whole, int[12]>("unique filled", [](auto x) { return ts::unique<14>(x, -7); });
  expect_recorded<whole, int[12]>("unique_counts filled", [](auto x) { return ts::unique_counts<14>(x, -7); });
  expect_recorded<whole, int[12], int[10]>("union1d filled", [](auto x, auto y) { return ts::union1d<24>(x, y, 99); });
  expect_recorded<whole, int[12], int[10]>("setdiff1d filled",
                                           [](auto x, auto y) { return ts::setdiff1d<12>(x, y, -1); });
  expect_recorded<whole, int[12], int[10]>("intersect1d filled",
                                           [](auto x, auto y) { return ts::intersect1d<9>(x, y, -1); });
  expect_recorded<whole, int[12], int[10]>("setxor1d filled",
                                           [](auto x, auto y) { return ts::setxor1d<22>(x, y, -1); });
  expect_recorded<whole, int[12]>("unique_counts", [](auto x) { return ts::unique_counts<8>(x); });
  expect_recorded<whole, int[4][3]>("unique_inverse", [](auto x) { return ts::unique_inverse<8>(x); });
  expect_recorded<whole, int[12], int[10]>("union1d", [](auto x, auto y) { return ts::union1d<14>(x, y); });
  expect_recorded<whole, int[12], int[10]>("intersect1d", [](auto x, auto y) { return ts::intersect1d<6>(x, y); });
  expect_recorded<whole, int[12], int[10]>("setdiff1d", [](auto x, auto y) { return ts::setdiff1d<6>(x, y); });
  expect_recorded<whole, int[12], int[10]>("setxor1d", [](auto x, auto y) { return ts::setxor1d<12>(x, y); });
  expect_recorded<whole, int[8][6], int[10]>("isin", [](auto x, auto y) { return ts::isin(x, y); });
}
TEST(sets, in_order) {
  expect_recorded<float[8][6], float[8][6]>("sort_key_val", [](auto k, auto v) { return ts::sort_key_val(k, v); });
  expect_recorded<whole, int[24], int[24]>("lexsort", [](auto x, auto y) { return ts::lexsort(std::tuple{x, y}); });
  expect_recorded<float[8][6]>("partition", [](auto x) { return ts::partition<3>(x); });
  expect_recorded<float[8][6]>("partition", [](auto x) { return ts::take_along_axis<-1>(x, ts::argpartition<3>(x)); });
}

TEST(signals, products) {
  expect_recorded<float[8][6][5], float[8][5]>("matvec", [](auto a, auto x) { return ts::matvec(a, x); });
  expect_recorded<float[8][6], float[8][6][5]>("vecmat", [](auto x, auto a) { return ts::vecmat(x, a); });
  expect_recorded<whole, float[8][6], float[6][2], float[2][7]>(
      "multi_dot 3", [](auto a, auto b, auto c) { return ts::multi_dot(a, b, c); });
  expect_recorded<whole, float[8][6], float[6][2], float[2][7], float[7][3]>(
      "multi_dot 4", [](auto a, auto b, auto c, auto d) { return ts::multi_dot(a, b, c, d); });
}
TEST(signals, slide) {
  expect_recorded<whole, float[9], float[4]>("convolve full", [](auto x, auto k) { return ts::convolve(x, k); });
  expect_recorded<whole, float[4], float[9]>("convolve full short",
                                             [](auto x, auto k) { return ts::convolve(x, k, ts::full_overlap); });
  expect_recorded<whole, float[9], float[4]>("convolve same",
                                             [](auto x, auto k) { return ts::convolve(x, k, ts::same); });
  expect_recorded<whole, float[4], float[9]>("convolve same short",
                                             [](auto x, auto k) { return ts::convolve(x, k, ts::same); });
  expect_recorded<whole, float[9], float[4]>("convolve valid",
                                             [](auto x, auto k) { return ts::convolve(x, k, ts::valid); });
  expect_recorded<whole, float[4], float[9]>("convolve valid short",
                                             [](auto x, auto k) { return ts::convolve(x, k, ts::valid); });
  expect_recorded<whole, float[9], float[4]>("correlate full",
                                             [](auto x, auto k) { return ts::correlate(x, k, ts::full_overlap); });
  expect_recorded<whole, float[4], float[9]>("correlate full short",
                                             [](auto x, auto k) { return ts::correlate(x, k, ts::full_overlap); });
  expect_recorded<whole, float[9], float[4]>("correlate same",
                                             [](auto x, auto k) { return ts::correlate(x, k, ts::same); });
  expect_recorded<whole, float[4], float[9]>("correlate same short",
                                             [](auto x, auto k) { return ts::correlate(x, k, ts::same); });
  expect_recorded<whole, float[9], float[4]>("correlate valid", [](auto x, auto k) { return ts::correlate(x, k); });
  expect_recorded<whole, float[4], float[9]>("correlate valid short",
                                             [](auto x, auto k) { return ts::correlate(x, k, ts::valid); });
}
TEST(signals, sums_and_bins) {
  expect_recorded<float[8][6]>("trapezoid", [](auto y) { return ts::trapezoid(y); });
  expect_recorded<whole, float[8][6]>("trapezoid 0", [](auto y) { return ts::trapezoid<0>(y, 0.5); });
  expect_recorded<float[8][6], float[8][6]>("trapezoid at", [](auto y, auto x) { return ts::trapezoid(y, x); });
  expect_recorded<whole, float[8][6]>("corrcoef", [](auto x) { return ts::corrcoef(x); });
  expect_recorded<whole, not_sloped, float[8][6], float[4]>("digitize",
                                                            [](auto x, auto b) { return ts::digitize(x, b); });
  expect_recorded<whole, not_sloped, float[8][6], float[4]>("digitize descending",
                                                            [](auto x, auto b) { return ts::digitize(x, b); });
  expect_recorded<whole, not_sloped, float[8][6]>("histogram", [](auto x) { return ts::histogram<5>(x); });
  expect_recorded<whole, not_sloped, float[8][6]>("histogram range",
                                                  [](auto x) { return ts::histogram<5>(x, -1.0, 2.0); });
  expect_recorded<whole, not_sloped, float[8][6], float[5]>("histogram by edges",
                                                            [](auto x, auto e) { return ts::histogram(x, e); });
  expect_recorded<whole, not_sloped, float[8][6], float[5], float[8][6]>(
      "histogram of weights", [](auto x, auto e, auto w) { return ts::histogram(x, e, w); });
  expect_recorded<whole, not_sloped, float[8][6], float[8][6]>(
      "histogram range of weights", [](auto x, auto w) { return ts::histogram<5>(x, -1.0, 2.0, w); });
  expect_recorded<whole, not_sloped, float[8][6]>("histogram_bin_edges",
                                                  [](auto x) { return ts::histogram_bin_edges<5>(x); });
}

}  // namespace
