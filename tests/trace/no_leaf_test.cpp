// SPDX-License-Identifier: Apache-2.0
// A place of a tree without a leaf goes through whatever takes trees: transformations, loops, optimizers, checkpoints.

#include <tessera/checkpoint.hpp>

#include "support/on_grid.hpp"

#include <filesystem>

namespace {

using namespace on_grid;
using ts::P;

TESSERA_TREE(halves, w, b);

auto half() { return halves{put<P<dp>, 4, 6>(1.3), ts::no_leaf{}}; }
using half_type = decltype(half());
template <class T>
inline constexpr bool is_half = std::is_same_v<std::remove_cvref_t<T>, half_type>;

constexpr auto doubled = [](auto p) { return ts::tree_map([](auto x) { return x + x; }, p); };
constexpr auto loss = [](auto p) { return ts::sum(p.w * p.w * p.w); };

TEST(no_leaf, functions_of_trees) {
  static_assert(ts::tree_leaves(halves{1, ts::no_leaf{}}) == std::tuple{1});
  static_assert(ts::tree_size(halves{1, ts::no_leaf{}}) == 1);
  static_assert(ts::tree_unflatten(halves{1, ts::no_leaf{}}, std::tuple{5}).w == 5);
  static_assert(
      ts::is_no_leaf<std::remove_cvref_t<decltype(ts::tree_map([](int a, int b) { return a + b; },
                                                               halves{1, ts::no_leaf{}}, halves{2, ts::no_leaf{}})
                                                      .b)>>);
  auto const p = half();
  static_assert(is_half<decltype(ts::jit(doubled)(p))>);
  near(ts::jit(doubled)(p).w, p.w + p.w);
  auto const [flat, back] = ts::jit([](auto p) {
    auto const whole = ts::tree_map([](auto x) { return ts::reshard<P<>>(x); }, p);
    auto const [flat, unravel] = ts::ravel_pytree(whole);
    return std::tuple{flat, unravel(flat)};
  })(p);
  EXPECT_EQ(flat.to_host().size(), 24u);
  static_assert(ts::is_no_leaf<std::remove_cvref_t<decltype(back.b)>>);
}

TEST(no_leaf, derivatives) {
  auto const p = half();
  auto const slope = ts::grad(loss)(p);
  static_assert(is_half<decltype(slope)>);
  near(slope.w, ts::grad([](auto w) { return ts::sum(w * w * w); })(p.w));
  auto const [value, tangent] = ts::jvp(doubled, std::tuple{p}, std::tuple{p});
  static_assert(is_half<decltype(value)> && is_half<decltype(tangent)>);
  auto const [result, pullback] = ts::vjp(doubled, p);
  static_assert(is_half<decltype(result)>);
  static_assert(is_half<decltype(std::get<0>(pullback(result)))>);
}

TEST(no_leaf, loops_and_branches) {
  auto const p = half();
  auto const [last, all] = ts::jit([](auto p) {
    return ts::scan<3>([](auto carried) { return std::tuple{doubled(carried), carried}; }, p);
  })(p);
  static_assert(is_half<decltype(last)>);
  static_assert(ts::is_no_leaf<std::remove_cvref_t<decltype(all.b)>>);
  near(last.w, p.w * 8.0);
  auto const looped = ts::jit([](auto p) {
    return ts::fori_loop(
        0, 3, [](auto, auto p) { return doubled(p); }, p);
  })(p);
  static_assert(is_half<decltype(looped)>);
  near(looped.w, p.w * 8.0);
  auto const chosen = ts::jit([](auto p) {
    return ts::cond(
        ts::sum(p.w) > 1e9, doubled, [](auto p) { return p; }, p);
  })(p);
  static_assert(is_half<decltype(chosen)>);
  near(chosen.w, p.w);
  auto const again = ts::grad([](auto p) { return loss(ts::checkpoint(doubled)(p)); })(p);
  static_assert(is_half<decltype(again)>);
}

TEST(no_leaf, vmap_and_shard_map) {
  auto const p = half();
  auto const mapped = ts::jit([](auto p) { return ts::vmap(doubled)(p); })(p);
  static_assert(is_half<decltype(mapped)>);
  near(mapped.w, p.w * 2.0);
  auto const blocks =
      ts::jit([](auto p) { return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>(doubled)(p); })(p);
  static_assert(ts::is_no_leaf<std::remove_cvref_t<decltype(blocks.b)>>);
  near(blocks.w, p.w * 2.0);
}

template <class Optimizer>
struct one_step {
  constexpr auto operator()(auto p) const {
    Optimizer const optimizer{};
    auto const slope = ts::grad(loss)(p);
    auto const [updated, state] =
        optimizer.update(ts::train::clip_by_global_norm(slope, 1.0), optimizer.init(p), p, 0.1);
    return std::tuple{updated, ts::train::all_finite(updated), ts::train::ema(updated, p, 0.5)};
  }
};
template <class Optimizer>
void trains() {
  auto const [updated, finite, mean] = ts::jit<one_step<Optimizer>>(half());
  static_assert(is_half<decltype(updated)> && is_half<decltype(mean)>);
  EXPECT_TRUE(finite.item());
}
TEST(no_leaf, optimizers) {
  trains<ts::train::sgd>();
  trains<ts::train::momentum>();
  trains<ts::train::adam>();
  trains<ts::train::lion>();
  trains<ts::train::adagrad>();
  trains<ts::train::rmsprop>();
  trains<ts::train::adafactor>();
  trains<ts::train::lars>();
  trains<ts::train::lamb>();
}

TEST(no_leaf, checkpoints) {
  auto const p = half();
  auto const folder = (std::filesystem::temp_directory_path() / "tessera_no_leaf_test").string();
  ts::save(folder, p);
  auto const again = ts::restore(folder, p);
  std::filesystem::remove_all(folder);
  static_assert(is_half<decltype(again)>);
  near(again.w, p.w);
}

}  // namespace
