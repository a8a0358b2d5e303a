// SPDX-License-Identifier: Apache-2.0
// Named trees as vectors: sums, multiples and quotients leaf by leaf, inside and outside of jit, in gradients and layouts.
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;
using ts::P;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

TESSERA_TREE(layer, w, b);
TESSERA_TREE(network, first, rest);

using floats = std::vector<float>;

auto small(float w, float b) { return layer{ts::asarray({{w, 2 * w}, {3 * w, 4 * w}}), ts::asarray({b, -b})}; }
auto deep(float w, float b) { return network{small(w, b), std::tuple{ts::asarray({w}), ts::no_leaf{}}}; }

TEST(tree_arithmetic, of_two_trees) {
  auto const sum = small(1, 5) + small(10, 2);
  EXPECT_EQ(ts::device_get(sum.w), (floats{11, 22, 33, 44}));
  EXPECT_EQ(ts::device_get(sum.b), (floats{7, -7}));
  EXPECT_EQ(ts::device_get((small(1, 5) - small(10, 2)).w), (floats{-9, -18, -27, -36}));
  EXPECT_EQ(ts::device_get((small(1, 5) * small(10, 2)).b), (floats{10, 10}));
  EXPECT_EQ(ts::device_get((small(10, 5) / small(2, 2)).w), (floats{5, 5, 5, 5}));
  EXPECT_EQ(ts::device_get((-small(1, 5)).b), (floats{-5, 5}));
}

TEST(tree_arithmetic, with_numbers_and_values_without_dimensions) {
  EXPECT_EQ(ts::device_get((small(1, 5) * 2).w), (floats{2, 4, 6, 8}));
  EXPECT_EQ(ts::device_get((2.f * small(1, 5)).b), (floats{10, -10}));
  EXPECT_EQ(ts::device_get((1 - small(1, 5)).b), (floats{-4, 6}));
  EXPECT_EQ(ts::device_get((small(2, 4) / ts::asarray(2.f)).w), (floats{1, 2, 3, 4}));
  EXPECT_EQ(ts::device_get((ts::asarray(3.f) + small(1, 5)).b), (floats{8, -2}));
}

TEST(tree_arithmetic, nested_and_assigned) {
  auto p = deep(1, 2);
  p = p - 0.5f * deep(2, 2);
  EXPECT_EQ(ts::device_get(p.first.w), (floats{0, 0, 0, 0}));
  EXPECT_EQ(ts::device_get(p.first.b), (floats{1, -1}));
  p += deep(1, 2);
  p *= 2;
  EXPECT_EQ(ts::device_get(p.first.b), (floats{6, -6}));
  EXPECT_EQ(ts::device_get(std::get<0>(p.rest)), (floats{2}));
  p -= p;
  p /= 4.f;
  EXPECT_EQ(ts::device_get(p.first.b), (floats{0, 0}));
}

constexpr auto loss = [](auto p, auto x) { return ts::mean(ts::square(ts::matmul(x, p.w) + p.b)); };
constexpr auto descend = [](auto p, auto velocity, auto x) {
  auto const g = ts::grad(loss)(p, x);
  auto const v = 0.9f * velocity - 0.1f * g;
  return std::tuple{p + v, v};
};

TEST(tree_arithmetic, is_a_step_of_gradient_descent_that_keeps_layouts) {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const p = ts::device_put<layer<P<ts::none, dp>, P<dp>>>(
      layer{ts::reshape<4, 8>(ts::arange<float, 32>() / 32.f), ts::ones<float, 8>()}, mesh);
  auto const zero = 0.f * p;
  auto const x = ts::device_put<P<>>(ts::reshape<2, 4>(ts::arange<float, 8>() / 8.f), mesh);
  auto const [next, velocity] = ts::jit(descend)(p, zero, x);
  static_assert(ts::type_text<decltype(next)> == "{w: float32[4,8@dp], b: float32[8@dp]}");
  auto const mapped = ts::jit([](auto p, auto x) {
    return ts::tree_map([](auto p, auto g) { return p - 0.1f * g; }, p, ts::grad(loss)(p, x));
  })(p, x);
  auto const got = ts::device_get(next.w), want = ts::device_get(mapped.w);
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6);
}

template <class A, class B>
concept Adds = requires(A const& a, B const& b) {
  a + b;
};
using leaf = decltype(ts::asarray({1.f}));
using key = decltype(ts::random::key(1));
static_assert(Adds<layer<leaf, leaf>, layer<leaf, leaf>> && Adds<layer<leaf, leaf>, float>);
static_assert(!Adds<layer<leaf, key>, layer<leaf, key>>, "the words of keys are no numbers");
static_assert(!Adds<layer<leaf, leaf>, leaf>, "a vector beside a tree");
static_assert(!Adds<std::tuple<leaf, leaf>, std::tuple<leaf, leaf>>, "tuples are no vectors");

}  // namespace
