// SPDX-License-Identifier: Apache-2.0
// nightly
// The methods of images in another size, each against JAX's: larger, smaller, smaller without antialiasing, moved.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;
namespace image = ts::image;

template <class Method>
void expect_resized(std::string const& method, Method) {
  expect_recorded<float[8][6]>(("resize up " + method).c_str(),
                               [](auto x) { return image::resize<8, 11>(x, Method{}); });
  expect_recorded<float[8][6]>(("resize down " + method).c_str(),
                               [](auto x) { return image::resize<8, 4>(x, Method{}); });
  expect_recorded<float[8][6]>(("resize coarse " + method).c_str(),
                               [](auto x) { return image::resize<8, 3>(x, Method{}, image::without_antialias); });
}
template <class Method>
void expect_moved(std::string const& method, Method) {
  expect_recorded<whole, float[8][6], float[1], float[1]>(("scaled " + method).c_str(), [](auto x, auto s, auto t) {
    return image::scale_and_translate<8, 7>(x, image::spatial<1>, s, t, Method{});
  });
  expect_recorded<whole, float[8][6], float[1], float[1]>(
      ("scaled coarse " + method).c_str(), [](auto x, auto s, auto t) {
        return image::scale_and_translate<8, 7>(x, image::spatial<1>, s, t, Method{}, image::without_antialias);
      });
}

TEST(image_methods, resized) {
  expect_recorded<float[8][6]>("resize down nearest", [](auto x) { return image::resize<8, 4>(x, image::nearest); });
  expect_resized("linear", image::linear);
  expect_resized("cubic", image::cubic);
  expect_resized("cubic-pytorch", image::cubic_pytorch);
  expect_resized("lanczos3", image::lanczos3);
  expect_resized("lanczos5", image::lanczos5);
  expect_resized("area", image::area);
}
TEST(image_methods, moved) {
  expect_moved("linear", image::linear);
  expect_moved("cubic", image::cubic);
  expect_moved("cubic-pytorch", image::cubic_pytorch);
  expect_moved("lanczos3", image::lanczos3);
  expect_moved("lanczos5", image::lanczos5);
  expect_moved("area", image::area);
}

}  // namespace
