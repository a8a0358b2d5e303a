// SPDX-License-Identifier: Apache-2.0
// nightly
// Products of rows in groups, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

constexpr auto dot = [](auto x, auto w, auto sizes) { return ts::ragged_dot(x, w, sizes); };

// The rows whole.
TEST(ragged_dot, by_blocks) {
  expect_recorded<whole, float[8][3], float[4][3][2], int[4]>("ragged_dot", dot);
  expect_recorded<whole, float[8][3], float[2][3][2], int[2]>("ragged_dot few", dot);
  expect_recorded<whole, float[8][3], float[3][3][2], int[3]>("ragged_dot more", dot);
  expect_recorded<whole, float[8][3], float[1][3][2], int[1]>("ragged_dot one", dot);
  expect_recorded<whole, float[8][3], float[10][3][2], int[10]>("ragged_dot many", dot);
  expect_recorded<whole, float[8][3], float[3][3][2], int[3]>("ragged_dot holes", dot);
}
// The rows split.
TEST(ragged_dot, by_masks) {
  constexpr auto split = [](auto x, auto w, auto sizes) { return ts::ragged_dot(ts::reshard<P<dp>>(x), w, sizes); };
  expect_recorded<whole, float[8][3], float[4][3][2], int[4]>("ragged_dot", split);
  expect_recorded<whole, float[8][3], float[2][3][2], int[2]>("ragged_dot few", split);
  expect_recorded<whole, float[8][3], float[3][3][2], int[3]>("ragged_dot more", split);
  expect_recorded<whole, float[8][3], float[3][3][2], int[3]>("ragged_dot holes", split);
}
// Layouts: rows, or the last dimension of w; the product of split rows sends nothing.
TEST(ragged_dot, keeps_layouts) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<float> rows(60), each(5 * 3 * 4);
  for (std::size_t i = 0; i < 60; ++i) rows[i] = static_cast<float>(i % 7) - 3, each[i] = static_cast<float>(i % 5) - 2;
  auto const sizes = ts::device_put<P<>>(ts::host<5>(std::vector<int>{7, 0, 4, 8, 1}), mesh);
  auto const x = ts::device_put<P<>>(ts::host<20, 3>(rows), mesh);
  auto const split_x = ts::device_put<P<dp>>(ts::host<20, 3>(rows), mesh);
  auto const w = ts::device_put<P<>>(ts::host<5, 3, 4>(each), mesh);
  auto const split_w = ts::device_put<P<none, none, mp>>(ts::host<5, 3, 4>(each), mesh);
  std::vector<double> want;
  for (std::size_t i = 0; i < 20; ++i) {
    std::size_t const group = i < 7 ? 0 : i < 11 ? 2 : i < 19 ? 3 : 4;
    for (std::size_t j = 0; j < 4; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += rows[3 * i + k] * each[12 * group + 4 * k + j];
      want.push_back(static_cast<double>(sum));
    }
  }
  using product = std::remove_const_t<decltype(dot)>;
  static_assert(ts::comm_of<product, decltype(split_x), decltype(w), decltype(sizes)>.count() == 0);
  static_assert(ts::comm_of<product, decltype(x), decltype(split_w), decltype(sizes)>.count() == 0);
  auto const of_rows = ts::jit<product>(split_x, w, sizes);
  auto const of_columns = ts::jit<product>(x, split_w, sizes);
  auto const of_both = ts::ragged_dot(split_x, split_w, sizes);
  static_assert(std::is_same_v<decltype(of_both)::type::spec, P<dp, mp>>);
  EXPECT_EQ(numbers_of(of_rows), want);
  EXPECT_EQ(numbers_of(of_columns), want);
  EXPECT_EQ(numbers_of(of_both), want);
}
TEST(scaled_matmul, is_of_runs) {
  expect_recorded<whole, not_sloped, float[2][6][8], float[2][5][8], float[2][6][2], float[2][5][2]>(
      "scaled_matmul", [](auto a, auto b, auto p, auto q) { return ts::scaled_matmul(a, b, p, q); });
}

}  // namespace
