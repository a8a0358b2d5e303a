// SPDX-License-Identifier: Apache-2.0
// nightly
// Transposed convolutions and patches, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(conv_transpose, of_lines) {
  using line = float[4][3][5];
  auto const same = [](auto x, auto k) { return ts::conv_transpose(x, k, ts::strided<3>, ts::same); };
  auto const valid = [](auto x, auto k) { return ts::conv_transpose(x, k, ts::valid, ts::strided<3>); };
  expect_recorded<whole, line, float[2][3][2]>("conv_transpose 2 same", same);
  expect_recorded<whole, line, float[2][3][3]>("conv_transpose 3 same", same);
  expect_recorded<whole, line, float[2][3][5]>("conv_transpose 5 same", same);
  expect_recorded<whole, line, float[2][3][2]>("conv_transpose 2 valid", valid);
  expect_recorded<whole, line, float[2][3][5]>("conv_transpose 5 valid", valid);
  expect_recorded<whole, line, float[2][3][3]>(
      "conv_transpose pads", [](auto x, auto k) { return ts::conv_transpose(x, k, ts::strided<2>, ts::pads<1, 2>); });
  expect_recorded<whole, line, float[2][3][3]>("conv_transpose 1",
                                               [](auto x, auto k) { return ts::conv_transpose(x, k); });
}
TEST(conv_transpose, of_images) {
  expect_recorded<whole, float[4][2][4][5], float[3][2][3][2]>("conv_transpose dilated", [](auto x, auto k) {
    return ts::conv_transpose(x, k, ts::strided<2, 1>, ts::same, ts::dilated<2, 3>);
  });
  expect_recorded<whole, float[4][2][4][5], float[2][3][3][2]>("conv_transpose kernel", [](auto x, auto k) {
    return ts::conv_transpose(x, k, ts::strided<2, 2>, ts::transposed_kernel);
  });
  expect_recorded<whole, float[4][4][5][2], float[3][2][2][3]>("conv_transpose nhwc", [](auto x, auto k) {
    return ts::conv_transpose(x, k, ts::nhwc, ts::strided<2, 2>, ts::same);
  });
  expect_recorded<whole, float[4][4][5][2], float[3][2][3][2]>("conv_transpose nhwc kernel", [](auto x, auto k) {
    return ts::conv_transpose(x, k, ts::nhwc, ts::strided<2, 2>, ts::same, ts::transposed_kernel);
  });
}

TEST(patches, are_features) {
  using image = float[4][2][4][5];
  expect_recorded<float[4][3][5]>("patches 1d",
                                  [](auto x) { return ts::conv_general_dilated_patches(x, ts::window<3>, ts::same); });
  expect_recorded<image>(
      "patches 2d", [](auto x) { return ts::conv_general_dilated_patches(x, ts::window<2, 3>, ts::strided<2, 1>); });
  expect_recorded<image>("patches same", [](auto x) {
    return ts::conv_general_dilated_patches(x, ts::window<3, 2>, ts::strided<2, 2>, ts::same);
  });
  expect_recorded<image>("patches pads", [](auto x) {
    return ts::conv_general_dilated_patches(x, ts::window<2, 2>, ts::strided<1, 2>, ts::pads<1, 0, 0, 2>,
                                            ts::dilated<2, 1>);
  });
  expect_recorded<image>("patches spread", [](auto x) {
    return ts::conv_general_dilated_patches(x, ts::window<2, 2>, ts::lhs_dilated<2, 3>);
  });
  expect_recorded<float[4][4][5][2]>("patches nhwc", [](auto x) {
    return ts::conv_general_dilated_patches(x, ts::window<2, 2>, ts::nhwc, ts::strided<1, 2>, ts::same);
  });
  expect_recorded<int[4][2][4][5]>("patches integers",
                                   [](auto x) { return ts::conv_general_dilated_patches(x, ts::window<2, 2>); });
}

// Not mapped over: the windows of a batch of these would have nine dimensions.
TEST(conv_transpose, of_solids) {
  auto const& want = records().at("conv_transpose 3d");
  auto const x = array_of<float[2][2][3][2][3], none>::put(want.given[0].numbers, ts::make_mesh<grid>(ts::devices()));
  auto const k = array_of<float[1][2][2][2][2], none>::put(want.given[1].numbers, ts::make_mesh<grid>(ts::devices()));
  auto const y = ts::conv_transpose(x, k, ts::strided<2, 1, 2>, ts::same);
  expect_numbers(numbers_of(y), want.results[0].numbers, 0, 2e-6, "conv_transpose 3d");
}
// The batch stays split.
TEST(conv_transpose, keeps_layouts) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp>>(ts::asarray(ts::ones<float, 4, 3, 5>()), mesh);
  auto const k = ts::device_put<P<>>(ts::asarray(ts::ones<float, 4, 3, 2>()), mesh);
  auto const y = ts::conv_transpose(x, k, ts::strided<2>, ts::same);
  static_assert(decltype(y)::type::value.entry(0) == decltype(x)::type::value.entry(0));
  auto const z = ts::conv_transpose(x, k, ts::strided<2>, ts::same, ts::out_sharding<P<dp, mp>>);
  static_assert(!decltype(z)::type::value.entry(1).empty());
  EXPECT_EQ(numbers_of(y), numbers_of(z));
}

}  // namespace
