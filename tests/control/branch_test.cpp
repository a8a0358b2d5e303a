// SPDX-License-Identifier: Apache-2.0
// cond, switch_, while_loop and checkpoint: the branch that is chosen and no other, loops that stop by themselves.

#include "support/on_grid.hpp"

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;

constexpr auto doubled_or_summed = [](auto x, auto limit) {
  return ts::cond(
      ts::sum(x) > limit, [&](auto v) { return ts::exp(v) * 2; },
      [&](auto v) { return ts::matmul(v, v.T(), ts::out_sharding<ts::P<dp>>) * limit; }, x);
};
TEST(cond, runs_the_branch_that_is_chosen) {
  auto const x = put<ts::P<dp>, 8, 8>(0.5);
  auto const v = wave(64, 0.5);
  std::vector<double> twice, product(64);
  for (double e : v) twice.push_back(2 * std::exp(e));
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t k = 0; k < 8; ++k) product[i * 8 + j] += v[i * 8 + k] * v[j * 8 + k] * 1000.0;
  auto const run = ts::jit(doubled_or_summed);
  expect(run(x, -1000.0), twice);
  expect(run(x, 1000.0), product, 1e-9);
  static_assert(ts::type_text<decltype(run(x, 1.0))> == "float64[8@dp,8]");
}
// A number is true unless it is 0, so a negative one is.
TEST(cond, is_decided_by_a_number) {
  auto const choose = [](auto pred) {
    return ts::cond(
        pred, [] { return ts::full<>(1.0f); }, [] { return ts::full<>(2.0f); });
  };
  auto const expect_same = [&](auto number, float want) {
    EXPECT_EQ(ts::asarray(choose(number)).item(), want) << double(number);
    EXPECT_EQ(choose(ts::asarray(number)).item(), want) << double(number);
    EXPECT_EQ(ts::jit(choose)(number).item(), want) << double(number);
    EXPECT_EQ(ts::jit(choose)(ts::asarray(number)).item(), want) << double(number);
  };
  for (int const number : {-7, -1, 1, 2, 7}) expect_same(number, 1.0f);
  for (float const number : {-0.5f, 0.5f, std::numeric_limits<float>::quiet_NaN()}) expect_same(number, 1.0f);
  expect_same(0, 2.0f);
  expect_same(0.0f, 2.0f);
  expect_same(-0.0f, 2.0f);
  expect_same(std::uint8_t{255}, 1.0f);
  for (float const number : {-1.0f, 1.0f, 0.0f}) {
    EXPECT_EQ(choose(ts::asarray(ts::bfloat16(number))).item(), number == 0 ? 2.0f : 1.0f);
    EXPECT_EQ(choose(ts::asarray(ts::float16(number))).item(), number == 0 ? 2.0f : 1.0f);
  }
  EXPECT_EQ(ts::asarray(choose(ts::full<>(-1))).item(), 1.0f);
  EXPECT_EQ(ts::asarray(choose(ts::full<>(0.0f))).item(), 2.0f);
  EXPECT_EQ(ts::vmap(choose)(ts::asarray({-2, 0, 3})).to_host(), (std::vector<float>{1, 2, 1}));
  EXPECT_EQ(ts::vmap(choose)(ts::asarray({-0.5f, 0.0f})).to_host(), (std::vector<float>{1, 2}));
}
TEST(cond, computes_one_branch_only) {
  auto const x = put<ts::P<dp>, 8, 8>(0.5);
  auto const run = ts::jit([](auto v, auto which) {
    return ts::cond(
        which > 0,
        [](auto a) {
          return std::get<0>(ts::scan<100>(
              [](auto c) {
                return std::tuple{ts::sin(ts::matmul(c, c)), std::tuple{}};
              },
              a));
        },
        [](auto a) { return a; }, v);
  });
  (void)run(x, 0);
  auto const before = ts::launches_so_far().steps();
  (void)run(x, 0);
  auto const few = ts::launches_so_far().steps() - before;
  (void)run(x, 1);
  auto const many = ts::launches_so_far().steps() - before - few;
  EXPECT_LT(few, 10);
  EXPECT_GT(many, 100);
}

constexpr auto one_of_three = [](auto which, auto x) {
  auto const pair = ts::switch_(which,
                                std::tuple{[](auto v) {
                                             return std::tuple{v, v * 2};
                                           },
                                           [](auto v) {
                                             return std::tuple{ts::sin(v), v};
                                           },
                                           [](auto v) {
                                             return std::tuple{v * v, ts::cos(v)};
                                           }},
                                x);
  return std::get<0>(pair) - std::get<1>(pair);
};
TEST(switch_, takes_the_nearest_of_a_wrong_number) {
  auto const x = put<ts::P<ts::axes<dp, mp>>, 16>(0.5);
  auto const v = wave(16, 0.5);
  std::vector<double> first, second, third;
  for (double e : v) {
    first.push_back(-e);
    second.push_back(std::sin(e) - e);
    third.push_back(e * e - std::cos(e));
  }
  auto const run = ts::jit(one_of_three);
  expect(run(0, x), first);
  expect(run(1, x), second);
  expect(run(2, x), third);
  expect(run(-5, x), first);
  expect(run(7, x), third);
}

#ifndef TESSERA_BY_DAY
// Halved until all of it is small: Newton's way to a square root.
constexpr auto roots = [](auto x) {
  return std::get<0>(ts::while_loop([](auto state) { return ts::max(ts::abs(std::get<1>(state))) > 1e-12; },
                                    [&](auto state) {
                                      auto const next = 0.5 * (std::get<0>(state) + x / std::get<0>(state));
                                      return std::tuple{next, next - std::get<0>(state)};
                                    },
                                    std::tuple{x + 1, x}));
};
TEST(while_loop, goes_on_until_it_is_done) {
  auto const x = ts::jit([](auto v) { return v * v + 0.3; })(put<ts::P<dp, mp>, 8, 4>(3));
  auto want = wave(32, 3);
  for (double& e : want) e = std::sqrt(e * e + 0.3);
  expect(ts::jit(roots)(x), want);
}

constexpr auto powers = [](auto x, auto n) {
  return ts::fori_loop(
      0, n, [&](auto, auto v) { return v * x; }, x * 0 + 1);
};
TEST(while_loop, counts_to_a_bound_that_is_an_argument) {
  auto const x = put<ts::P<dp>, 8>(0.5);
  auto const run = ts::jit(powers);
  for (int n : {0, 1, 5}) {
    auto want = wave(8, 0.5);
    for (double& e : want) e = std::pow(e, n);
    expect(run(x, n), want);
  }
  using type = decltype(x);
  constexpr auto const& cost = ts::comm_of<decltype(powers), type, int>;
  static_assert(cost.count() == 0);
}

constexpr auto summed_until = [](auto x) {
  return ts::while_loop([](auto v) { return ts::sum(v) < 100.0; }, [](auto v) { return v * 2; }, x);
};
TEST(while_loop, costs_what_nobody_knows_before) {
  using type = ts::array_type<double, ts::shape<8>, ts::P<dp>, grid>;
  constexpr auto const& cost = ts::comm_of<decltype(summed_until), type>;
  static_assert(cost.count(ts::collective::all_reduce) == ts::dynamic);
  EXPECT_NE(ts::explain(cost).find("each turn"), std::string::npos);
}

// Devices that choose for themselves: each block with its own sum.
constexpr auto signs = [](auto x) {
  return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
    return ts::cond(
        ts::sum(block) > 0, [](auto v) { return v; }, [](auto v) { return -v; }, block);
  })(x);
};
constexpr auto stops = [](auto x) {
  return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
    return ts::while_loop([](auto v) { return ts::sum(v) < 5; }, [](auto v) { return v * 2; }, block);
  })(x);
};
TEST(cond, of_each_device) {
  auto const x = put<ts::P<dp>, 8, 2>(0.9);
  auto want = wave(16, 0.9);
  for (std::size_t d = 0; d < 4; ++d) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += want[d * 4 + i];
    for (std::size_t i = 0; sum <= 0 && i < 4; ++i) want[d * 4 + i] *= -1;
  }
  expect(ts::jit(signs)(x), want);
}
TEST(while_loop, of_each_device) {
  auto const x = ts::jit([](auto v) { return ts::abs(v) + 0.01; })(put<ts::P<dp>, 8, 2>(0.9));
  auto want = wave(16, 0.9);
  for (double& e : want) e = std::abs(e) + 0.01;
  for (std::size_t d = 0; d < 4; ++d) {
    auto const sum = [&] { return want[d * 4] + want[d * 4 + 1] + want[d * 4 + 2] + want[d * 4 + 3]; };
    while (sum() < 5)
      for (std::size_t i = 0; i < 4; ++i) want[d * 4 + i] *= 2;
  }
  expect(ts::jit(stops)(x), want);
}
// The first device has stopped long before the last.
TEST(while_loop, goes_on_for_the_last_device) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<double> v(16), want(16);
  for (std::size_t i = 0; i < 16; ++i) {
    v[i] = i / 4 == 0 ? 4 : std::pow(0.1, static_cast<double>(i / 4));
    want[i] = v[i];
    while (4 * want[i] < 5) want[i] *= 2;
  }
  expect(ts::jit(stops)(ts::device_put<ts::P<dp>>(ts::host<8, 2>(v), mesh)), want);
}
#endif

}  // namespace
