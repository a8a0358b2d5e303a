// SPDX-License-Identifier: Apache-2.0
// What a barrier keeps apart, and which values wait for which.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

auto numbers() {
  std::vector<float> v(16);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  return ts::device_put<ts::P<dp, mp>>(ts::host<4, 4>(v), ts::make_mesh<grid>(ts::devices()));
}

constexpr auto behind_a_barrier = [](auto x) {
  auto const y = ts::exp(x);
  auto const z = ts::optimization_barrier(y, ts::sin(x));
  return z * 2;
};
constexpr auto without_a_barrier = [](auto x) { return ts::exp(x) * 2; };
constexpr auto barrier_that_nobody_reads = [](auto x) {
  (void)ts::optimization_barrier(ts::exp(x));
  return x * 2;
};
TEST(optimization_barrier, keeps_apart_what_would_be_fused) {
  auto const x = numbers();
  EXPECT_EQ(ts::jit(behind_a_barrier)(x).to_host(), ts::jit(without_a_barrier)(x).to_host());
  using type = std::remove_cvref_t<decltype(x)>::type;
  constexpr auto steps = [](auto f) {
    return ts::make_plan(ts::trace_of<decltype(f), type>::program.view()).steps.size();
  };
  static_assert(steps(without_a_barrier) == 1);
  static_assert(steps(behind_a_barrier) >= 3);
  static_assert(steps(barrier_that_nobody_reads) == 1);
  constexpr auto with = [](auto v) { return ts::sum(behind_a_barrier(v)); };
  constexpr auto plain = [](auto v) { return ts::sum(without_a_barrier(v)); };
  EXPECT_EQ(ts::grad(with)(x).to_host(), ts::grad(plain)(x).to_host());
  auto const s = ts::jit([](auto v) { return ts::optimization_barrier(ts::sum(v), v); })(x);
  EXPECT_EQ(s.item(), 120.0f);
}

template <class A, class B>
struct pair_of {
  A one;
  B other;
  static constexpr ts::names<2> names{"one", "other"};
};
template <class A, class B>
pair_of(A, B) -> pair_of<A, B>;

constexpr auto tree_behind_a_barrier = [](auto x) {
  auto const all = ts::optimization_barrier(pair_of{ts::exp(x), std::tuple{ts::sin(x), 2.0f, ts::sum(x)}});
  return all.one * std::get<1>(all.other) + std::get<0>(all.other) * std::get<2>(all.other);
};
constexpr auto tree_without = [](auto x) { return ts::exp(x) * 2.0f + ts::sin(x) * ts::sum(x); };
TEST(optimization_barrier, of_a_tree) {
  auto const x = numbers();
  EXPECT_EQ(ts::jit(tree_behind_a_barrier)(x).to_host(), ts::jit(tree_without)(x).to_host());
  constexpr auto with = [](auto v) { return ts::sum(tree_behind_a_barrier(v)); };
  constexpr auto plain = [](auto v) { return ts::sum(tree_without(v)); };
  EXPECT_EQ(ts::grad(with)(x).to_host(), ts::grad(plain)(x).to_host());
  // More leaves than an operation has operands: each result waits for all of them.
  constexpr auto many = [](auto v) {
    std::array<decltype(v * 1.0f), 20> powers{};
    powers[0] = v;
    for (std::size_t i = 1; i < 20; ++i) powers[i] = powers[i - 1] * 0.5f;
    return std::get<0>(ts::optimization_barrier(powers));
  };
  using type = std::remove_cvref_t<decltype(x)>::type;
  static_assert(ts::make_plan(ts::trace_of<decltype(many), type>::program.view()).steps.size() >= 3);
  EXPECT_EQ(ts::jit(many)(x).to_host(), x.to_host());
  EXPECT_EQ(std::get<1>(ts::optimization_barrier(std::tuple{x, 3})), 3);
}

}  // namespace
