// SPDX-License-Identifier: Apache-2.0
// Element types, shapes and dimensions where this library does not have them: zeros<8, float>(), sum<float>(x), sum(x, dim<0>),
// layer_norm(x, 1), x.shape(0).

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::zeros<float, 8, 4>();
  auto const key = ts::random::key(1);
  (void)ts::layer_norm(x, 1e-6f);
  (void)ts::pad(x, 0.f, ts::high<8>);
  (void)key;
#if TESSERA_MISUSE == 1
  // expect: the element type stands before the extents. Fix: zeros<float, 8, 4>()
  (void)ts::zeros<8, float>();
#elif TESSERA_MISUSE == 2
  // expect: the element type stands before the extents.
  (void)ts::jit([](auto a) { return a + ts::full<8, 4, float>(2); })(x);
#elif TESSERA_MISUSE == 3
  // expect: the element type stands before the extents.
  (void)ts::random::normal<8, 4, float>(key);
#elif TESSERA_MISUSE == 4
  // expect: the element type stands before the extents.
  (void)ts::zeros<float, ts::shape<8, 4>>();
#elif TESSERA_MISUSE == 5
  // expect: the element type stands before the extents.
  (void)ts::arange<8, float>();
#elif TESSERA_MISUSE == 6
  // expect: this has the element type of its operand. Fix: sum<0>(astype<float>(x))
  (void)ts::sum<double, 0>(x);
#elif TESSERA_MISUSE == 7
  // expect: this has the element type of its operand.
  (void)ts::host<float, 8, 4>(std::vector<float>(32));
#elif TESSERA_MISUSE == 8
  // expect: this has the element type of its operand.
  (void)ts::asarray<float, 8, 4>(std::vector<float>(32));
#elif TESSERA_MISUSE == 9
  // expect: shapes and numbers of elements are template arguments here. Fix: reshape<8, 4>(x)
  (void)ts::jit([](auto a) { return ts::reshape(a, ts::shape<4, 8>{}); })(x);
#elif TESSERA_MISUSE == 10
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::reshape<ts::shape<4, 8>>(x);
#elif TESSERA_MISUSE == 11
  // expect: dimensions are template arguments here. Fix: sum<0>(x)
  (void)ts::jit([](auto a) { return ts::sum(a, ts::dim<0>); })(x);
#elif TESSERA_MISUSE == 12
  // expect: dimensions are template arguments here.
  (void)ts::mean(x, 0, ts::keepdims);
#elif TESSERA_MISUSE == 13
  // expect: dimensions are template arguments here.
  (void)ts::associative_scan([](auto a, auto b) { return a + b; }, x, ts::dim<1>);
#elif TESSERA_MISUSE == 14
  // expect: layer_norm and rms_norm are of the last dimension
  (void)ts::jit([](auto a) { return ts::layer_norm(a, 1); })(x);
#elif TESSERA_MISUSE == 15
  // expect: layer_norm and rms_norm are of the last dimension
  auto const y = ts::rms_norm<0>(x);
  (void)y;
#elif TESSERA_MISUSE == 16
  // expect: shape() has all extents. Fix: x.shape()[0]
  auto const rows = x.shape(0);
  (void)rows;
#elif TESSERA_MISUSE == 17
  // expect: the bounds of fori_loop are arguments. Fix: fori_loop(0, 10, body, init)
  (void)ts::fori_loop<0, 8>([](auto, auto c) { return c + 1; }, x);
#elif TESSERA_MISUSE == 18
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::dynamic_slice<2, 2>(x, {0, 0});
#elif TESSERA_MISUSE == 19
  // expect: x.at(...) names a part of x. Fix: x.at(0).get() is its value
  (void)ts::jit([](auto a) { return -a.at(0); })(x);
#elif TESSERA_MISUSE == 20
  // expect: x.at(...) names a part of x.
  (void)(x.at(0) < 3.f);
#elif TESSERA_MISUSE == 21
  // expect: the function takes another number of values.
  (void)ts::full<float, 8, 4>();
#elif TESSERA_MISUSE == 22
  // expect: pad takes its widths as types, each kind once, after the value.
  (void)ts::jit([](auto a) { return ts::pad(a, 0.f, ts::low<1>, ts::low<2>); })(x);
#endif
}
