// SPDX-License-Identifier: Apache-2.0
// Numbers as arguments, where this library has template arguments; and parts of arrays as values.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::device_put(ts::host<8, 4>(std::vector<float>(32)));
#if TESSERA_MISUSE == 1
  // expect: numbers that say what an operation does stand in angle brackets. Fix: roll<1, 0>(x)
  (void)ts::jit([](auto a) { return ts::roll(a, 1, 0); })(x);
#elif TESSERA_MISUSE == 2
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)(ts::repeat(x, 2) + ts::ones<float, 16, 4>());
#elif TESSERA_MISUSE == 3
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::tile(x, {2, 2});
#elif TESSERA_MISUSE == 4
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::jit([](auto a) { return ts::moveaxis(a, 0, 1) + ts::swapaxes(a, 0, -1); })(x);
#elif TESSERA_MISUSE == 5
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::quantile(x, 0.5, 0);
#elif TESSERA_MISUSE == 6
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::norm(x, 2);
#elif TESSERA_MISUSE == 7
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::dynamic_slice(x, {0, 0}, {2, 2});
#elif TESSERA_MISUSE == 8
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::random::split(ts::random::key(0), 3);
#elif TESSERA_MISUSE == 9
  // expect: pad takes its widths as types, each kind once, after the value. Fix: pad(x, 0, low<1, 1>, high<1, 1>).
  (void)ts::jit([](auto a) { return ts::pad(a, 1); })(x);
#elif TESSERA_MISUSE == 10
  // expect: pad takes its widths as types, each kind once, after the value.
  (void)ts::pad(x, {{1, 1}, {0, 2}});
#elif TESSERA_MISUSE == 11
  // expect: an element type is a type. Fix: astype<bfloat16>(x)
  (void)ts::jit([](auto a) { return ts::astype<"bfloat16">(a); })(x);
#elif TESSERA_MISUSE == 12
  // expect: what is made with a layout names it as out_sharding.
  (void)ts::zeros_like(x, ts::P<dp>{});
#elif TESSERA_MISUSE == 13
  // expect: x.at(...) names a part of x. Fix: x.at(0).get() is its value
  (void)(x.at(0) + 1);
#elif TESSERA_MISUSE == 14
  // expect: x.at(...) names a part of x.
  (void)ts::jit([](auto a) { return 2 * a.at(0, 1) - ts::sum(a); })(x);
#elif TESSERA_MISUSE == 15
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::take(x, ts::asarray({0, 1}), 0);
#elif TESSERA_MISUSE == 16
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)(ts::repeat<1>(x, 32) + 1);
#elif TESSERA_MISUSE == 17
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::swapaxes<0>(x, 1);
#elif TESSERA_MISUSE == 18
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)x.at(ts::every, ts::span(0, 3, 2)).get();
#elif TESSERA_MISUSE == 19
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::linspace<5>(0.f, 1.f, 3);
#elif TESSERA_MISUSE == 20
  // expect: shapes and numbers of elements are template arguments here.
  (void)(ts::zeros<float, 8>(4) + x);
#elif TESSERA_MISUSE == 21
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::arange<float, 3>(2);
#elif TESSERA_MISUSE == 22
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::jit([](auto a) { return ts::take_along_axis(a, ts::argsort<1>(a), 1); })(x);
#elif TESSERA_MISUSE == 23
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::segment_sum(x, ts::arange<8>(), 8);
#elif TESSERA_MISUSE == 24
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::jit([](auto a) { return ts::segment_max(a, ts::arange<8>()) + ts::segment_min(a, ts::arange<8>(), 8); })(x);
#elif TESSERA_MISUSE == 25
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::bincount(ts::asarray({0, 1}));
#elif TESSERA_MISUSE == 26
  // expect: settings that are true or false in Python are tags here. Fix: solve_triangular(a, b, lower_triangle)
  (void)ts::jit([](auto a) { return ts::triangular_solve(ts::matmul(a.T(), a), a.T(), true, true); })(x);
#elif TESSERA_MISUSE == 27
  // expect: a scan over values has as many turns as they have slices. Fix: scan(body, init, xs)
  (void)ts::scan<8>([](auto c, auto a) { return std::tuple{c + a, a}; }, ts::zeros<float, 4>(), x);
#elif TESSERA_MISUSE == 28
  // expect: a constant is made of numbers that are known while compiling. Fix: constant({1.f, 2.f})
  (void)ts::constant(std::vector<float>(4));
#elif TESSERA_MISUSE == 29
  // expect: settings of optimizers have names, and update takes the rate. Fix: adam{.b1 = 0.9}
  constexpr ts::train::adam optimizer(1e-3);
  (void)optimizer;
#elif TESSERA_MISUSE == 30
  // expect: settings of optimizers have names, and update takes the rate.
  (void)ts::jit([](auto p) { return ts::train::momentum{0.1f, 0.9}.init(p); })(x);
#endif
}
