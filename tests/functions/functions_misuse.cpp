// SPDX-License-Identifier: Apache-2.0
// Functions composed of operations: an error is that of the operation within, and as short.

#include <tessera/tessera.hpp>

#include <tessera/functions.hpp>

#include <vector>

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using rows = ts::array_type<float, ts::shape<8, 4>, P<dp>, grid>;

struct median_of_columns {
  constexpr auto operator()(auto x) const { return ts::nanmedian<1>(x); }
};
struct median_of_rows {
  constexpr auto operator()(auto x) const { return ts::nanmedian<0>(x); }
};
struct larger {
  constexpr auto operator()(auto x) const { return ts::fmax(x, std::vector<float>{1, 2}); }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray({1.0f, 2.0f, 3.0f});
  ts::check<median_of_columns, rows>();
  (void)x;
#if TESSERA_MISUSE == 1
  // expect: the operation is not defined for this element type.
  (void)ts::population_count(x);
#elif TESSERA_MISUSE == 2
  // expect: the operation needs this dimension whole on every device.
  ts::check<median_of_rows, rows>();
#elif TESSERA_MISUSE == 3
  // expect: what stands here is neither an array nor a number.
  (void)ts::leaky_relu(std::vector<float>{1, 2});
#elif TESSERA_MISUSE == 4
  // expect: what stands here is neither an array nor a number.
  (void)ts::jit(larger{})(x);
#elif TESSERA_MISUSE == 5
  // expect: the shapes do not fit each other.
  (void)ts::glu(x);
#elif TESSERA_MISUSE == 6
  // expect: the operation is not defined for this element type.
  (void)ts::gcd(x, 2);
#elif TESSERA_MISUSE == 7
  // expect: piecewise has not one function for each condition. Fix: as many functions as conditions,
  (void)ts::piecewise(x, std::tuple{x<0, x> 1}, 1.0f);
#elif TESSERA_MISUSE == 8
  // expect: the function takes vectors, arrays of one dimension.
  (void)ts::ix_(x, ts::asarray({{1, 2}, {0, 1}}));
#elif TESSERA_MISUSE == 9
  // expect: the places of put_along_axis have not as many dimensions as x.
  (void)ts::put_along_axis<0>(x, ts::asarray({{1, 2}, {0, 1}}), 1.0f);
#elif TESSERA_MISUSE == 10
  // expect: central_differences along a dimension of fewer than two elements.
  (void)ts::central_differences(ts::asarray({1.0f}));
#elif TESSERA_MISUSE == 11
  // expect: choose among no values. Fix: choose(i, std::tuple{a, b}).
  (void)ts::choose(ts::asarray({0, 1}), std::tuple{});
#elif TESSERA_MISUSE == 12
  // expect: delete_at<dimension, index, count> of elements that x does not have.
  (void)ts::delete_at<0, 3>(x);
#elif TESSERA_MISUSE == 13
  // expect: resize of an array without elements.
  (void)ts::resize<4>(ts::asarray(ts::zeros<float, 0>()));
#elif TESSERA_MISUSE == 14
  // expect: packbits of an extent that 8 does not divide.
  (void)ts::packbits(x > 0);
#elif TESSERA_MISUSE == 15
  // expect: flash_attention takes q of (batch, t, heads, size), and k and v of (batch, s, groups, size).
  (void)ts::flash_attention(x, x, x);
#elif TESSERA_MISUSE == 16
  // expect: in flash_attention q and k differ in batch or size, or the heads of q are no multiple
  (void)ts::flash_attention(ts::asarray(ts::zeros<float, 1, 16, 3, 8>()), ts::asarray(ts::zeros<float, 1, 16, 2, 8>()),
                            ts::asarray(ts::zeros<float, 1, 16, 2, 8>()));
#elif TESSERA_MISUSE == 17
  // expect: softmax_cross_entropy_with_integer_labels takes logits (..., classes) and integer labels (...).
  // expect-fix: argmax<-1>(labels), or softmax_cross_entropy(logits, labels) of probabilities
  (void)ts::softmax_cross_entropy_with_integer_labels(ts::asarray({{1.0f, 2.0f}}), ts::asarray({{0, 1}}));
#endif
}
