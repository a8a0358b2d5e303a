// SPDX-License-Identifier: Apache-2.0
// nightly
// Images in another size, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;
namespace image = ts::image;

TEST(images, resized) {
  expect_recorded<float[8][6]>("resize up nearest", [](auto x) { return image::resize<8, 11>(x, image::nearest); });
  expect_recorded<float[8][6]>("resize up linear", [](auto x) { return image::resize<8, 11>(x, image::linear); });
  expect_recorded<float[8][6]>("resize down cubic", [](auto x) { return image::resize<8, 4>(x, image::cubic); });
  expect_recorded<float[8][6]>("resize up lanczos3", [](auto x) { return image::resize<8, 11>(x, image::lanczos3); });
  expect_recorded<float[8][6]>("resize down area", [](auto x) { return image::resize<8, 4>(x, image::area); });
  expect_recorded<float[8][6]>("resize coarse cubic-pytorch", [](auto x) {
    return image::resize<8, 3>(x, image::cubic_pytorch, image::without_antialias);
  });
  expect_recorded<double[8][6]>(
      "resize float64", [](auto x) { return image::resize<8, 11>(x, image::lanczos3); }, 1e-14);
  expect_recorded<float[8][6]>("resize both", [](auto x) { return image::resize<5, 9>(x, image::triangle); });
  expect_recorded<float[8][6]>("resize none", [](auto x) { return image::resize<8, 6>(x, image::bilinear); });
  expect_recorded<int[8][6]>("resize nearest integers", [](auto x) { return image::resize<8, 17>(x, image::nearest); });
  expect_recorded<whole, float[2][5][4][3]>("resize images",
                                            [](auto x) { return image::resize<2, 3, 6, 3>(x, image::bicubic); });
  expect_recorded<int[8][6]>("resize integers", [](auto x) { return image::resize<8, 4>(x, image::linear); });
}
TEST(images, moved) {
  expect_recorded<whole, float[8][6], float[1], float[1]>("scaled linear", [](auto x, auto s, auto t) {
    return image::scale_and_translate<8, 7>(x, image::spatial<1>, s, t, image::linear);
  });
  expect_recorded<whole, float[8][6], float[1], float[1]>("scaled coarse cubic-pytorch", [](auto x, auto s, auto t) {
    return image::scale_and_translate<8, 7>(x, image::spatial<-1>, s, t, image::cubic_pytorch,
                                            image::without_antialias);
  });
  expect_recorded<whole, float[8][6], float[2], float[2]>("scaled both", [](auto x, auto s, auto t) {
    return image::scale_and_translate<5, 7>(x, image::spatial<0, 1>, s, t, image::linear);
  });
}

}  // namespace
