// SPDX-License-Identifier: Apache-2.0
// Two literals are one only where all their bits agree: 0 and -0 compare equal and are not, NaN is itself.

#include "support/on_grid.hpp"

#include <cstring>
#include <limits>
#include <tuple>

namespace {

using namespace on_grid;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

bool negative(float x) { return std::signbit(x); }

struct both_zeros {
  constexpr auto operator()(auto x) const { return std::tuple{x * 0.0f, x * -0.0f, 0.0f * x, -0.0f * x}; }
};
struct zeros_of_constants {
  constexpr auto operator()(auto x) const {
    auto const plus = ts::full<4>(0.0f), minus = ts::full<4>(-0.0f);
    return std::tuple{ts::copysign(x, plus), ts::copysign(x, minus), x + minus, ts::where(x < x, x, minus)};
  }
};
struct zeros_of_loops {
  constexpr auto operator()(auto x) const {
    auto const turns = [](float by) {
      return ts::fori_loop(
          0, 2, [](auto, auto v) { return v * 1.0f; }, ts::full<4>(by));
    };
    return std::tuple{ts::copysign(x, turns(0.0f)), ts::copysign(x, turns(-0.0f))};
  }
};

template <class F>
std::vector<bool> signs_of() {
  auto const x =
      ts::device_put<ts::P<>>(ts::host<4>(std::vector<float>{1, 2, 3, 4}), ts::make_mesh<grid>(ts::devices()));
  std::vector<bool> signs;
  std::apply([&](auto const&... y) { (signs.push_back(negative(y.to_host()[1])), ...); }, ts::jit<F>(x));
  return signs;
}

TEST(literals, zeros_of_either_sign) {
  EXPECT_EQ(signs_of<both_zeros>(), (std::vector<bool>{false, true, false, true}));
  EXPECT_EQ(signs_of<zeros_of_constants>(), (std::vector<bool>{false, true, false, true}));
  EXPECT_EQ(signs_of<zeros_of_loops>(), (std::vector<bool>{false, true}));
}

#ifndef TESSERA_BY_DAY
struct same_nans {
  constexpr auto operator()(auto x) const { return (x + nan) + (x + nan); }
};
TEST(literals, nan_is_itself) {
  using x = ts::array_type<float, ts::shape<4>, ts::P<>, grid>;
  using T = ts::trace_of<same_nans, x>;
  int literals = 0;
  auto const plan = ts::make_plan(T::program.view());
  for (auto const& n : plan.local.nodes) literals += n.op->kind == ts::op_class::literal;
  EXPECT_EQ(literals, 1);
}
#endif

}  // namespace
