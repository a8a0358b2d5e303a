// SPDX-License-Identifier: Apache-2.0
// Calls with too few values or too many, trees of different structures, loops without one first value, draws in Python's
// order, updates without a rate: one sentence for each, in eager and in traced code.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;

TESSERA_TREE(in_order, f, g);
TESSERA_TREE(exchanged, g, f);

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  auto const key = ts::random::key(0);
#if TESSERA_MISUSE == 1
  // expect: the function takes another number of values. Fix: one for exp(x), two for maximum(x, y)
  (void)ts::where(x > 2, x);
#elif TESSERA_MISUSE == 2
  // expect: the function takes another number of values.
  (void)ts::jit([](auto a) { return ts::where(a > 2) + ts::clamp(0, a); })(x);
#elif TESSERA_MISUSE == 3
  // expect: the function takes another number of values.
  (void)ts::jit([](auto a) { return ts::exp(a, a) + ts::maximum(a) + ts::sum(a, a); })(x);
#elif TESSERA_MISUSE == 4
  // expect: the function takes another number of values.
  (void)(ts::matmul(x) + ts::maximum(x, x, x));
#elif TESSERA_MISUSE == 5
  // expect: which dimensions a product contracts stands in angle brackets.
  (void)ts::dot_general(x, x);
#elif TESSERA_MISUSE == 6
  // expect: the trees have different structures.
  (void)ts::tree_map([](auto p, auto q) { return p + q; }, std::tuple{x, x}, std::tuple{x});
#elif TESSERA_MISUSE == 7
  // expect: the trees have different structures.
  (void)ts::tree_map([](auto p, auto q) { return p + q; }, std::tuple{x, x}, x);
#elif TESSERA_MISUSE == 8
  // expect: the trees have different structures.
  (void)ts::tree_combine(std::tuple{x, x}, std::tuple{x});
#elif TESSERA_MISUSE == 9
  // expect: the trees have different structures.
  (void)ts::tree_map_with_path([](auto, auto p, auto q) { return p + q; }, std::tuple{x, x}, std::tuple{x});
#elif TESSERA_MISUSE == 10
  // expect: a loop begins with one value, which may be a tuple. Fix: fori_loop(0, 8, body, init)
  (void)ts::fori_loop(0, 3, [](auto, auto c) { return c; });
#elif TESSERA_MISUSE == 11
  // expect: a loop begins with one value, which may be a tuple.
  (void)ts::scan([](auto c, auto e) { return std::pair{c, e}; }, x);
#elif TESSERA_MISUSE == 12
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::randint(key, {3}, 0, 10);
#elif TESSERA_MISUSE == 13
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::bernoulli(key, 0.5, {3});
#elif TESSERA_MISUSE == 14
  // expect: the element type stands before the extents.
  (void)ts::random::randint<3>(key, 0, 10);
#elif TESSERA_MISUSE == 15
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::one_hot(ts::asarray({0, 1}));
#elif TESSERA_MISUSE == 16
  // expect: the trees have different structures. Fix: as many parts in each tree as in the first, in the same order, of the same
  (void)ts::tree_map([](auto p, auto q) { return p + q; }, in_order{x, x}, exchanged{x, x});
#elif TESSERA_MISUSE == 17
  // expect: the trees have different structures.
  (void)ts::tree_map_with_path([](auto, auto p, auto q) { return p + q; }, in_order{x, x}, exchanged{x, x});
#elif TESSERA_MISUSE == 18
  // expect: random numbers are drawn from a key and the values of their distribution.
  (void)ts::random::uniform<float, 3>();
#elif TESSERA_MISUSE == 19
  // expect: random numbers are drawn from a key and the values of their distribution.
  (void)ts::jit([](auto a) { return a + ts::random::normal<float, 2, 2>(); })(x);
#elif TESSERA_MISUSE == 20
  // expect: random numbers are drawn from a key and the values of their distribution.
  (void)ts::random::bernoulli();
#elif TESSERA_MISUSE == 21
  // expect: random numbers are drawn from a key and the values of their distribution.
  (void)ts::random::randint<int, 3>();
#elif TESSERA_MISUSE == 22
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::randint(key, 0, 8, 3);
#elif TESSERA_MISUSE == 23
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::jit([](auto a) { return ts::fft(a, 1); })(x);
#elif TESSERA_MISUSE == 24
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::full<2, 2>(2.5f, 1);
#elif TESSERA_MISUSE == 25
  // expect: a loop begins with one value, which may be a tuple.
  (void)ts::jit([](auto a) {
    return ts::while_loop([](auto p, auto) { return ts::sum(p) < 3; }, [](auto p, auto q) { return p + q; }, a, a);
  })(x);
#elif TESSERA_MISUSE == 26
  // expect: a loop begins with one value, which may be a tuple.
  (void)ts::jit([](auto a) {
    auto const [c, all] = ts::scan([](auto c, auto) { return std::pair{c, c}; }, a, nullptr, 10);
    return c;
  })(x);
#elif TESSERA_MISUSE == 27
  // expect: an optimizer takes gradients, its state, parameters of the structure of the gradients, and a rate
  (void)ts::train::adam{}.update(x, ts::train::adam{}.init(x), x);
#elif TESSERA_MISUSE == 28
  // expect: an optimizer takes gradients, its state, parameters of the structure of the gradients, and a rate
  (void)ts::jit([](auto g, auto p) {
    auto const [next, state] = ts::train::sgd{}.update(std::tuple{g, g}, std::tuple{}, p, 0.1f);
    return next;
  })(x, x);
#elif TESSERA_MISUSE == 29
  // expect: an optimizer takes gradients, its state, parameters of the structure of the gradients, and a rate
  (void)ts::train::lion{}.update(x, ts::train::lion{}.init(x), 0.1f, x);
#elif TESSERA_MISUSE == 30
  // expect: tree_partition asks a function of the path and the leaf.
  (void)ts::tree_partition([](auto path) { return path.text == "f"; }, in_order{x, x});
#elif TESSERA_MISUSE == 31
  // expect: stochastic_round takes floats to a float type of fewer digits.
  (void)ts::random::stochastic_round<float>(key, x);
#elif TESSERA_MISUSE == 32
  // expect: dimensions are template arguments here.
  (void)ts::sum<0>(x, x);
#elif TESSERA_MISUSE == 33
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::jit([](auto a) { return ts::reshape<4>(a, a); })(x);
#elif TESSERA_MISUSE == 34
  // expect: numbers that say what an operation does stand in angle brackets.
  (void)ts::take<0>(x, ts::asarray({0, 1}), x);
#elif TESSERA_MISUSE == 35
  // expect: an optimizer takes gradients, its state, parameters of the structure of the gradients, and a rate
  (void)ts::train::adam{}.update(ts::train::adam{}.init(in_order{x, x}), in_order{x, x}, in_order{x, x}, 0.1f);
#endif
  // One number, and the element type first, do compile.
  (void)(ts::random::normal(key) + ts::eye<float, 2>() + ts::one_hot<float, 2>(ts::asarray({0, 1})));
}
