// SPDX-License-Identifier: Apache-2.0
// nightly
// Vectors of a formula, and arrays in other places, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(sequences, of_a_formula) {
  expect_made("logspace", [] { return ts::logspace<7>(0.0, 2.0); });
  expect_made("logspace 2", [] { return ts::logspace<5>(-1.0, 3.0, 2.0); });
  expect_made("geomspace", [] { return ts::geomspace<5>(1.0, 16.0); });
  expect_made("geomspace negative", [] { return ts::geomspace<4>(-100.0, -1.0); });
  expect_made("bartlett", [] { return ts::bartlett<7>(); });
  expect_made("blackman", [] { return ts::blackman<7>(); });
  expect_made("hamming", [] { return ts::hamming<7>(); });
  expect_made("hanning", [] { return ts::hanning<7>(); });
  expect_made("bartlett 1", [] { return ts::bartlett<1>(); });
  expect_made("blackman 1", [] { return ts::blackman<1>(); });
  expect_made("hamming 1", [] { return ts::hamming<1>(); });
  expect_made("hanning 1", [] { return ts::hanning<1>(); });
  expect_made("identity", [] { return ts::identity<4>(); });
  expect_made("diag_indices", [] { return ts::diag_indices<4>(); });
  expect_made("tril_indices", [] { return ts::tril_indices<4, 1, 6>(); });
  expect_made("triu_indices", [] { return ts::triu_indices<5, -1>(); });
}
TEST(sequences, of_powers) {
  expect_recorded<float[8]>("vander", [](auto x) { return ts::vander<4>(x); });
  expect_recorded<float[8]>("vander increasing", [](auto x) { return ts::vander<4>(x, ts::increasing); });
}

TEST(arranging, joins_and_cuts) {
  expect_recorded<whole, float[8][6], float[8]>("append", [](auto x, auto y) { return ts::append(x, y); });
  expect_recorded<whole, float[8][6], float[8][6]>("append 0", [](auto x, auto y) { return ts::append<0>(x, y); });
  expect_recorded<float[8][6]>("array_split", [](auto x) { return ts::array_split<4, 1>(x); });
  expect_recorded<whole, float[6], float[8][1]>("broadcast_arrays",
                                                [](auto x, auto y) { return ts::broadcast_arrays(x, y); });
  expect_recorded<float[8][6], float[8]>("insert",
                                         [](auto x, auto y) { return ts::insert<1, 2>(x, ts::expand_dims<1>(y)); });
  expect_recorded<whole, float[8][6]>("insert 0",
                                      [](auto x) { return ts::insert<0, 0>(x, ts::full<float, 1, 6>(7.0f)); });
  expect_recorded<float[8][6]>("delete_at", [](auto x) { return ts::delete_at<1, 2>(x); });
  expect_recorded<float[8][6]>("delete_at 2", [](auto x) { return ts::delete_at<1, 4, 2>(x); });
  expect_recorded<whole, float[8]>("resize", [](auto x) { return ts::resize<5, 3>(x); });
  expect_recorded<whole, float[8][6]>("ediff1d", [](auto x) { return ts::ediff1d(x); });
}
TEST(arranging, matrices_and_bits) {
  expect_recorded<whole, float[2][3]>("diagflat", [](auto x) { return ts::diagflat(x); });
  expect_recorded<whole, float[2][3]>("diagflat 1", [](auto x) { return ts::diagflat<1>(x); });
  expect_recorded<float[8][6]>("fill_diagonal", [](auto x) { return ts::fill_diagonal(x, 7.0f); });
  expect_recorded<float[8][6]>("matrix_transpose", [](auto x) { return ts::matrix_transpose(x); });
  expect_recorded<float[8][6]>("matrix_transpose", [](auto x) { return ts::permute_dims<1, 0>(x); });
  expect_recorded<int[8][16]>("packbits", [](auto x) { return ts::packbits(x); });
  expect_recorded<std::uint8_t[8][2]>("unpackbits", [](auto x) { return ts::unpackbits(x); });
}

TEST(places, of_elements) {
  expect_recorded<int[8]>("unravel_index", [](auto i) { return ts::unravel_index<3, 4>(i); });
  expect_recorded<int[4], int[4]>("ravel_multi_index",
                                  [](auto i, auto j) { return ts::ravel_multi_index<3, 4>(i, j, ts::mode::clip); });
  expect_recorded<whole, not_sloped, float[8][6]>("nonzero", [](auto x) { return ts::nonzero<12>(x); });
  expect_recorded<whole, not_sloped, float[8][6]>("nonzero 48", [](auto x) { return ts::nonzero<50>(x, -1); });
  expect_recorded<whole, not_sloped, float[8][6]>("flatnonzero", [](auto x) { return ts::flatnonzero<12>(x, 99); });
  expect_recorded<whole, not_sloped, float[8][6]>("argwhere", [](auto x) { return ts::argwhere<12>(x); });
  expect_recorded<whole, float[8][6]>("extract", [](auto x) { return ts::extract<30>(x > 0, x); });
  expect_recorded<whole, float[8][6]>("extract", [](auto x) { return ts::compress<30>(x > 0, x); });
}

}  // namespace
