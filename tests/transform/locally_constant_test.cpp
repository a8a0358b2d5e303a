// SPDX-License-Identifier: Apache-2.0
// No derivative passes through what is locally constant, so operations without a gradient may follow it: pmax of
// stop_gradient(x), of floor(x), of positions and integers; in loops and branches, forward and backward.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
using ts::P;

constexpr auto stopped = [](auto x) { return ts::pmax<dp>(ts::stop_gradient(x)); };
constexpr auto rounded = [](auto x) { return ts::pmin<dp>(ts::floor(x)) + 10; };
constexpr auto signs = [](auto x) { return ts::pmax<dp>(ts::sign(x)); };
constexpr auto compared = [](auto x) { return ts::pmax<dp>(ts::astype<float>(x > 2)) + 1; };
constexpr auto integers = [](auto x) { return ts::astype<float>(ts::pmax<dp>(ts::astype<int>(x))); };
constexpr auto positions = [](auto x) { return ts::astype<float>(ts::pmax<dp>(ts::argmax(x) + 1)); };
constexpr auto order = [](auto x) { return ts::astype<float>(ts::pmax<dp>(ts::argsort(x) + 1)); };
constexpr auto bits = [](auto x) { return ts::astype<float>(ts::pmax<dp>(ts::bitcast<int>(x) >> 28)); };
constexpr auto in_loop = [](auto x) {
  return ts::fori_loop(
      0, 3, [](auto, auto v) { return v * ts::pmax<dp>(ts::stop_gradient(v)); }, x);
};
constexpr auto in_branch = [](auto x) {
  return ts::cond(
      true, [](auto v) { return ts::pmax<dp>(ts::stop_gradient(v)) * v; }, [](auto v) { return v; }, x);
};
constexpr auto in_checkpoint = [](auto x) {
  return ts::checkpoint([](auto v) { return ts::pmax<dp>(ts::stop_gradient(v)) * v; })(x);
};

// x times a factor through which no derivative passes.
template <class F>
struct product {
  struct block {
    constexpr auto operator()(auto x) const { return x * F{}(x); }
  };
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>(block{})(x);
  }
};
template <class F>
struct derivatives {
  constexpr auto operator()(auto x) const {
    auto const slope = ts::grad([](auto v) { return ts::sum(product<F>{}(v)); })(x);
    auto const tangent = std::get<1>(ts::jvp(product<F>{}, x, ts::ones_like(x)));
    return std::tuple{product<F>{}(x), slope, tangent,
                      std::get<0>(std::get<1>(ts::vjp(product<F>{}, x))(ts::ones_like(x)))};
  }
};
template <class F>
void is_a_constant(F const&, int power = 1) {
  auto const x = ts::device_put<P<dp>>(ts::arange<float, 8>() * 0.7f, ts::make_mesh<line>(ts::devices()));
  auto const [value, slope, tangent, pulled] = ts::jit<derivatives<F>>(x);
  auto const at = x.to_host(), expected = value.to_host();
  for (std::size_t i = 1; i < 8; ++i) {
    float const one = power * expected[i] / at[i];
    EXPECT_NEAR(slope.to_host()[i], one, 1e-5f * one) << i;
    EXPECT_NEAR(tangent.to_host()[i], one, 1e-5f * one) << i;
    EXPECT_NEAR(pulled.to_host()[i], one, 1e-5f * one) << i;
  }
}

TEST(LocallyConstant, StopsDerivativesBeforeOperationsWithoutOne) {
  is_a_constant(stopped);
  is_a_constant(rounded);
  is_a_constant(signs);
  is_a_constant(compared);
  is_a_constant(integers);
  is_a_constant(positions);
  is_a_constant(order);
  is_a_constant(bits);
}
TEST(LocallyConstant, StopsDerivativesInLoopsAndBranches) {
  is_a_constant(in_loop, 2);
  is_a_constant(in_branch, 2);
  is_a_constant(in_checkpoint, 2);
}

}  // namespace
