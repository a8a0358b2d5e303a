// SPDX-License-Identifier: Apache-2.0
// Functions of trees: leaves, paths, halves, one vector.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

template <class W, class B>
struct layer {
  W w;
  B b;
  static constexpr ts::names<2> names{"w", "b"};
};
template <class L, class G>
struct model {
  L layers;
  G gain;
  static constexpr ts::names<2> names{"layers", "gain"};
};
constexpr model numbers{std::tuple{layer{1, 2}, layer{3, 4}}, 5};

static_assert(ts::tree_leaves(numbers) == std::tuple{1, 2, 3, 4, 5});
static_assert(ts::tree_reduce([](int a, int b) { return 10 * a + b; }, numbers) == 12345);
static_assert(ts::tree_reduce([](double a, int b) { return a + b; }, numbers, 0.5) == 15.5);
static_assert(ts::tree_leaves(7) == std::tuple{7});
static_assert(ts::tree_leaves(ts::tree_unflatten(numbers, std::tuple{5, 4, 3, 2, 1})) == std::tuple{5, 4, 3, 2, 1});
constexpr auto paths = ts::tree_map_with_path([](auto path, int) { return path.text; }, numbers);
static_assert(std::get<1>(paths.layers).b == "layers.1.b" && paths.gain == "gain");
static_assert(ts::tree_map_with_path([](auto path, int x) { return path.text.size() + x; }, 3) == 3);
constexpr auto decayed = ts::tree_map_with_path(
    [](auto path, auto g, auto p, auto rate) { return path.text.ends_with("w") ? g + rate * p : g; }, numbers, numbers,
    ts::tree_map([](int) { return 10; }, numbers));
static_assert(ts::tree_leaves(decayed) == std::tuple{11, 2, 33, 4, 5});

constexpr auto is_weight = [](auto path, auto) { return path.text.ends_with("w"); };
constexpr auto halves = ts::tree_partition(is_weight, numbers);
static_assert(std::is_same_v<decltype(std::get<0>(halves).gain), ts::no_leaf>);
static_assert(std::is_same_v<decltype(std::get<0>(std::get<1>(halves).layers).w), ts::no_leaf>);
static_assert(ts::tree_leaves(ts::tree_combine(std::get<0>(halves), std::get<1>(halves))) == std::tuple{1, 2, 3, 4, 5});

// TESSERA_TREE: one field, many, trees in trees, and names that a struct of one's own uses, too.
TESSERA_TREE(single, w);
TESSERA_TREE(wide, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, names_of, call);
constexpr wide many{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, single{21}};
static_assert(ts::tree_reduce([](int a, int b) { return a + b; }, many) == 231);
static_assert(ts::tree_size(many) == 22 && wide<int, int, int, int, int, int, int, int, int, int, int, int, int, int,
                                                int, int, int, int, int, int, int, int>::names[20] == "names_of");
constexpr auto doubled_tree = ts::tree_map([](int x) { return 2.5 * x; }, many);
static_assert(std::is_same_v<decltype(doubled_tree.call), single<double>> && doubled_tree.call.w == 52.5);
static_assert(single{.w = 3}.w == 3);

auto parameters() {
  auto const w = put<ts::P<dp>, 4, 6>(1.3);
  auto const v = put<ts::P<>, 6, 4>(0.7);
  auto const b = put<ts::P<dp>, 4>(0.4);
  auto const g = put<ts::P<>, 4>(0.9);
  return model{std::tuple{layer{w, b}, layer{v, g}}, ts::jit([](auto x) { return ts::sum(x); })(g)};
}

// Frozen parameters: the gradient is by the weights alone.
TEST(trees, gradient_by_a_half) {
  auto const all = parameters();
  auto const loss = [](auto const& p) {
    return ts::tree_reduce([](auto a, auto b) { return a + b; },
                           ts::tree_map([](auto x) { return ts::sum(x * x * x); }, p));
  };
  auto const [weights, frozen] = ts::tree_partition(is_weight, all);
  auto const slope = ts::grad([](auto trained, auto fixed) {
    return ts::tree_reduce([](auto a, auto b) { return a + b; },
                           ts::tree_map([](auto x) { return ts::sum(x * x * x); }, ts::tree_combine(trained, fixed)));
  })(weights, frozen);
  static_assert(std::is_same_v<decltype(slope.gain), ts::no_leaf>);
  near(std::get<0>(slope.layers).w, std::get<0>(ts::grad(loss)(all).layers).w);
  near(std::get<1>(slope.layers).w, std::get<1>(ts::grad(loss)(all).layers).w);
}

TEST(trees, raveled_and_back) {
  auto const all = parameters();
  auto const [flat, again] = ts::jit([](auto p) {
    auto const whole = ts::tree_map([](auto x) { return ts::reshard<ts::P<>>(x); }, p);
    auto const [flat, unravel] = ts::ravel_pytree(whole);
    return std::tuple{flat, unravel(flat * 2.0)};
  })(all);
  auto const w = std::get<0>(all.layers).w.to_host();
  auto const got = flat.to_host();
  ASSERT_EQ(got.size(), 24u + 4u + 24u + 4u + 1u);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(got[i], w[i]);
  auto const gain = all.gain.to_host()[0];
  EXPECT_EQ(got[56], gain);
  EXPECT_EQ(again.gain.to_host()[0], 2 * gain);
  near(std::get<1>(again.layers).w, std::get<1>(all.layers).w * 2.0);
}

}  // namespace
