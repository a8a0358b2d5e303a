// SPDX-License-Identifier: Apache-2.0
// Mixed precision: casts of trees, and a loss scale that steps back and grows.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;
namespace train = ts::train;

inline constexpr train::precision_policy<float, ts::bfloat16, float> policy;
inline constexpr train::dynamic_loss_scale scaling{.period = 2, .factor = 4};

template <class X>
using element = typename X::type::element;

TEST(mixed_precision, casts_floating_leaves) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const n = ts::asarray(3);
  auto const [wide, counted] = policy.parameters(std::tuple{x, n});
  static_assert(std::is_same_v<element<decltype(wide)>, float>);
  static_assert(std::is_same_v<element<decltype(counted)>, std::int32_t>);
  auto const narrow = std::get<0>(policy.compute(std::tuple{x, n}));
  static_assert(std::is_same_v<element<decltype(narrow)>, ts::bfloat16>);
  static_assert(std::is_same_v<element<decltype(policy.output(narrow))>, float>);
  near(ts::astype<float>(narrow), ts::astype<float>(ts::astype<ts::bfloat16>(x)));
}

// A step in float16: gradients of 3e-6 times x vanish without a scale, and are infinite if it is too large.
constexpr auto step = [](auto w, auto state, auto x) {
  auto const loss = [&](auto p) {
    auto const h = ts::astype<ts::float16>(p) * ts::astype<ts::float16>(x);
    return scaling.scale(state, ts::sum(ts::astype<float>(h)) * 1e-8f);
  };
  auto const slope = scaling.unscale(state, ts::grad(loss)(w));
  auto const finite = train::all_finite(slope);
  return std::tuple{train::select(finite, w - slope * 1e6f, w), scaling.adjust(state, finite), finite};
};

TEST(mixed_precision, loss_scale_steps_back_and_grows) {
  auto const w = ts::astype<float>(put<ts::P<dp, mp>, 4, 6>(1.3)), x = ts::astype<float>(put<ts::P<dp, mp>, 4, 6>(0.7));
  auto const begin = ts::jit([] { return scaling.init(1e13); })();
  EXPECT_EQ(begin.scale.item(), 1e13f);
  auto const [same, less, finite] = ts::jit(step)(w, begin, x);
  EXPECT_FALSE(finite.item());
  near(same, w);
  EXPECT_EQ(less.scale.item(), 2.5e12f);
  EXPECT_EQ(less.steps.item(), 0);
  auto const good = ts::jit([] { return scaling.init(65536); })();
  auto const [moved, once, first] = ts::jit(step)(w, good, x);
  EXPECT_TRUE(first.item());
  near(moved, w - x * 1e-2f, 1e-5);
  EXPECT_EQ(once.scale.item(), 65536);
  EXPECT_EQ(once.steps.item(), 1);
  auto const [again, grown, second] = ts::jit(step)(w, once, x);
  EXPECT_EQ(grown.scale.item(), 4 * 65536.0f);
  EXPECT_EQ(grown.steps.item(), 0);
  // Without a scale all gradients are 0 in float16.
  auto const [still, one, third] = ts::jit(step)(w, ts::jit([] { return scaling.init(1); })(), x);
  near(still, w);
  auto const least = ts::jit([](auto s) { return scaling.adjust(s, s.scale < 0.0f); })(one);
  EXPECT_EQ(least.scale.item(), 1.0f);
  auto const largest = ts::jit([](auto s) { return scaling.adjust(s, s.scale > 0.0f); });
  auto const top = ts::jit([] { return scaling.init(3e38); })();
  EXPECT_EQ(largest(largest(top)).scale.item(), 3e38f);
}

TEST(mixed_precision, finite_or_not) {
  auto const x = put<ts::P<dp, mp>, 4, 6>(1.3);
  EXPECT_TRUE(train::all_finite(std::tuple{x, x}).item());
  EXPECT_FALSE(train::all_finite(std::tuple{x, ts::log(x * 0.0)}).item());
}

}  // namespace
