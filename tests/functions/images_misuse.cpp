// SPDX-License-Identifier: Apache-2.0
// Images, patches, numbers of events: an error is that of the operation within, and as short.

#include <tessera/tessera.hpp>

#include <tessera/functions.hpp>

namespace ts = tessera;
using ts::P;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
using rows = ts::array_type<float, ts::shape<8, 4>, P<dp>, grid>;

struct other_rows {
  constexpr auto operator()(auto x) const { return ts::image::resize<4, 4>(x, ts::image::nearest); }
};
struct other_columns {
  constexpr auto operator()(auto x) const { return ts::image::resize<8, 2>(x, ts::image::nearest); }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray(ts::ones<float, 1, 2, 4>());
  auto const key = ts::random::key(1);
  ts::check<other_columns, rows>();
  (void)x;
  (void)key;
#if TESSERA_MISUSE == 1
  // expect: elements of a split dimension, or at split indices, at_dim<...>, are read across the blocks of several devices
  ts::check<other_rows, rows>();
#elif TESSERA_MISUSE == 2
  // expect: the numbers of dimensions do not fit each other.
  (void)ts::conv_general_dilated_patches(x, ts::window<2, 2>);
#elif TESSERA_MISUSE == 3
  // expect: the operation is not defined for this element type.
  (void)ts::random::poisson<float, 8>(key, 2.0);
#elif TESSERA_MISUSE == 4
  // expect: the operation is not defined for this element type.
  (void)ts::random::binomial<int, 8>(key, 3, 0.5);
#elif TESSERA_MISUSE == 5
  // expect: x, or the kernel, does not have two dimensions for batch and features and one to three spatial ones.
  (void)ts::conv_transpose(ts::asarray({1.0f, 2.0f}), ts::asarray({1.0f}));
#elif TESSERA_MISUSE == 6
  // expect: pads<...> has not two numbers for each spatial dimension.
  (void)ts::conv_transpose(x, ts::asarray(ts::ones<float, 2, 2, 3>()), ts::pads<1, 1, 1>);
#elif TESSERA_MISUSE == 7
  // expect: ragged_dot(x, w, sizes) takes x (m, k), w (g, k, n) and integers sizes (g).
  (void)ts::ragged_dot(x, x, ts::asarray({1, 2}));
#elif TESSERA_MISUSE == 8
  // expect: scaled_matmul takes arrays of three dimensions, and scales whose last extent divides theirs.
  (void)ts::scaled_matmul(x, x, ts::asarray(ts::ones<float, 1, 2, 3>()), ts::asarray(ts::ones<float, 1, 2, 2>()));
#elif TESSERA_MISUSE == 9
  // expect: an image is resized to extents that are not one for each dimension of x.
  (void)ts::image::resize<4, 4>(x, ts::image::linear);
#elif TESSERA_MISUSE == 10
  // expect: scale and translation have not one element for each dimension of image::spatial.
  (void)ts::image::scale_and_translate<1, 4, 8>(x, ts::image::spatial<1, 2>, ts::asarray({2.0f}), ts::asarray({0.0f}),
                                                ts::image::linear);
#elif TESSERA_MISUSE == 11
  // expect: a dimension that is not in image::spatial<...> gets another extent.
  (void)ts::image::scale_and_translate<1, 4, 8>(x, ts::image::spatial<2>, ts::asarray({2.0f}), ts::asarray({0.0f}),
                                                ts::image::linear);
#endif
}
