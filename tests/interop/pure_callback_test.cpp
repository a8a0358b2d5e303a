// SPDX-License-Identifier: Apache-2.0
// pure_callback: functions of the host that make values, whole, for each block, in loops, in vmap, and with a gradient.

#include <tessera/functions.hpp>

#include "support/on_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <list>
#include <numeric>
#include <stdexcept>
#include <string>

namespace {

using namespace on_grid;
using ts::block_type;
using ts::P;

constexpr auto backwards = [](auto v) { return std::vector<double>(v.rbegin(), v.rend()); };

TEST(pure_callback, GivesValuesOfOperandZero) {
  auto const x = ts::device_put(ts::host<2, 3>(counted(6)));
  auto const y = ts::jit([](auto a) { return ts::pure_callback(backwards, a + 1.0) * 2.0; })(x);
  static_assert(ts::type_text<decltype(y)> == "float64[2,3]");
  EXPECT_EQ(y.to_host(), (std::vector<double>{12, 10, 8, 6, 4, 2}));
  auto const eager = ts::pure_callback(backwards, x);
  static_assert(ts::type_text<decltype(eager)> == "float64[2,3]");
  EXPECT_EQ(eager.to_host(), (std::vector<double>{5, 4, 3, 2, 1, 0}));
}

TEST(pure_callback, ResultsThatAreNamed) {
  auto const x = ts::device_put(ts::host<2, 4>(wave(8, 1)));
  auto const summary = [](auto a, auto by) {
    return ts::pure_callback<block_type<double>, block_type<std::int64_t, 2>, block_type<bool, 4, ts::dynamic>>(
        [](auto v, auto factor) {
          double const sum = std::accumulate(v.begin(), v.end(), 0.0) * factor[0];
          std::vector<bool> positive;
          for (int turn = 0; turn < 2; ++turn)
            for (double const value : v) positive.push_back(value > 0);
          return std::tuple{sum, std::array<std::int64_t, 2>{v.shape()[0], v.shape()[1]}, positive};
        },
        a, by);
  };
  auto const [sum, extents, positive] = ts::jit(summary)(x, 2.0);
  static_assert(ts::type_text<decltype(sum)> == "float64[]" && ts::type_text<decltype(positive)> == "bool[4,4]");
  auto const v = wave(8, 1);
  EXPECT_DOUBLE_EQ(sum.item(), 2 * std::accumulate(v.begin(), v.end(), 0.0));
  EXPECT_EQ(extents.to_host(), (std::vector<std::int64_t>{2, 4}));
  auto const got = positive.to_host();
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], v[i % 8] > 0) << i;
}

// Any range that knows its size, and the element alone where there are no dimensions.
TEST(pure_callback, WhatAFunctionMayReturn) {
  auto const x = ts::device_put(ts::host<3>(std::vector<float>{3, 1, 2}));
  auto const listed = ts::pure_callback([](auto v) { return std::list<float>(v.begin(), v.end()); }, x);
  EXPECT_EQ(listed.to_host(), (std::vector<float>{3, 1, 2}));
  auto const same = ts::pure_callback([](auto v) { return v; }, x);
  EXPECT_EQ(same.to_host(), (std::vector<float>{3, 1, 2}));
  auto const least = ts::pure_callback<block_type<float>>([](auto v) { return *std::ranges::min_element(v); }, x);
  EXPECT_EQ(least.item(), 1);
  auto const alone = ts::pure_callback<block_type<float>>([](auto v) { return v.first(1); }, x);
  EXPECT_EQ(alone.item(), 3);
}

template <class T>
void keeps(std::vector<T> const& v) {
  auto const x = ts::device_put(ts::host<3>(v));
  auto const y = ts::jit([](auto a) { return ts::pure_callback([](auto given) { return given; }, a); })(x);
  static_assert(std::is_same_v<decltype(x), decltype(y)>);
  auto const got = y.to_host();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(got[i] == v[i]);
}
TEST(pure_callback, EveryElementType) {
  keeps<bool>({true, false, true});
  keeps<std::int8_t>({-1, 2, 3});
  keeps<std::uint16_t>({1, 65535, 3});
  keeps<std::uint32_t>({1, 4294967295u, 3});
  keeps<std::int64_t>({1, -(std::int64_t{1} << 60), 3});
  keeps<ts::float16>({ts::float16(1.5f), ts::float16(-2.0f), ts::float16(0.0f)});
  keeps<ts::bfloat16>({ts::bfloat16(1.5f), ts::bfloat16(-2.0f), ts::bfloat16(0.0f)});
  keeps<ts::complex64>({{1, 2}, {3, -4}, {0, 1}});
  keeps<ts::complex128>({{1, 2}, {3, -4}, {0, 1}});
}

// Operands are row-major however they lie.
TEST(pure_callback, OperandsThatLieOtherwise) {
  auto const x = ts::device_put(ts::host<2, 3>(counted(6)));
  auto const y = ts::jit([](auto a) { return ts::pure_callback(backwards, ts::transpose(a)); })(x);
  static_assert(ts::type_text<decltype(y)> == "float64[3,2]");
  EXPECT_EQ(y.to_host(), (std::vector<double>{5, 2, 4, 1, 3, 0}));
  // Beside a result in memory that is another's: every second column of a wider array.
  auto const z = ts::jit([](auto a) {
    auto const back = ts::pure_callback(backwards, a);
    return ts::concatenate<1>(a, back, a);
  })(x);
  EXPECT_EQ(z.to_host(), (std::vector<double>{0, 1, 2, 5, 4, 3, 0, 1, 2, 3, 4, 5, 2, 1, 0, 3, 4, 5}));
}

TEST(pure_callback, OnceForEachBlockOfShardMap) {
  auto const x = put<P<dp, mp>, 8, 4>(counted(32));
  auto const y = ts::jit([](auto a) {
    return ts::shard_map<ts::in_specs<P<dp, mp>>, ts::out_specs<P<dp, mp>>>(
        [](auto block) { return ts::pure_callback(backwards, block); })(a);
  })(x);
  auto const got = y.to_host();
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_EQ(got[i * 4 + j], static_cast<double>((i / 2 * 2 + 1 - i % 2) * 4 + j / 2 * 2 + 1 - j % 2));
}

TEST(pure_callback, InLoopsAndInVmap) {
  auto const x = ts::device_put(ts::host<3, 4>(counted(12)));
  auto const rows = ts::jit(ts::vmap([](auto row) {
    return ts::pure_callback<block_type<double>>([](auto v) { return v.front() + v.back(); }, row);
  }))(x);
  static_assert(ts::type_text<decltype(rows)> == "float64[3]");
  EXPECT_EQ(rows.to_host(), (std::vector<double>{3, 11, 19}));
  auto const turned = ts::jit([](auto a) {
    return ts::fori_loop(
        0, 3,
        [](auto turn, auto v) {
          return ts::pure_callback([](auto, auto w) { return backwards(w); }, v, v) + 1.0 * ts::astype<double>(turn);
        },
        a);
  })(x);
  EXPECT_EQ(turned.to_host().front(), 14);
  auto const scanned = ts::jit([](auto a) {
    auto const step = [](auto sum, auto row) {
      auto const next = sum + ts::pure_callback<block_type<double>>([](auto v) { return v[1]; }, row);
      return std::pair{next, next};
    };
    return ts::scan(step, 0.0, a);
  })(x);
  EXPECT_EQ(std::get<1>(scanned).to_host(), (std::vector<double>{1, 6, 15}));
}

// Under Auto axes an operand is gathered.
TEST(pure_callback, OverAutoAxes) {
  struct rows : ts::axis {};
  using line = ts::mesh<ts::auto_axis<rows, 4>>;
  auto const x = ts::device_put<P<rows>>(ts::host<8>(counted(8)), ts::make_mesh<line>(ts::devices()));
  EXPECT_EQ(ts::jit([](auto a) { return ts::pure_callback(backwards, a + 1.0); })(x).to_host(),
            (std::vector<double>{8, 7, 6, 5, 4, 3, 2, 1}));
}

struct cube_on_host {
  constexpr auto operator()(auto const& x) const {
    return ts::pure_callback(
        [](auto v) {
          std::vector<double> y(v.size());
          std::ranges::transform(v, y.begin(), [](double a) { return a * a * a; });
          return y;
        },
        x);
  }
};
struct slope_of_cube {
  constexpr auto operator()(auto const& primals, auto const& tangents) const {
    auto const& x = std::get<0>(primals);
    return std::tuple{cube_on_host{}(x), 3.0 * x * x * std::get<0>(tangents)};
  }
};
constexpr auto cube = ts::custom_jvp(cube_on_host{}, slope_of_cube{});
TEST(pure_callback, AGradientByARule) {
  auto const slope = ts::jit(ts::grad([](auto x) { return ts::sum(cube(x)); }))(
      ts::device_put(ts::host<3>(std::vector<double>{1, 2, -3})));
  EXPECT_EQ(slope.to_host(), (std::vector<double>{3, 12, 27}));
}

TEST(pure_callback, WhatItThrowsLeavesTheCall) {
  auto const x = ts::device_put(ts::host<3>(std::vector<float>{1, 2, 3}));
  auto const stops = ts::jit([](auto a) {
    return ts::pure_callback(
        [](auto v) {
          if (v[0] > 0) throw std::domain_error("stop");
          return v;
        },
        a);
  });
  EXPECT_THROW((void)stops(x), std::domain_error);
  EXPECT_EQ(stops(-x).to_host(), (std::vector<float>{-1, -2, -3}));
  try {
    (void)ts::pure_callback([](auto v) { return std::vector<float>(v.begin(), v.begin() + 2); }, x);
    FAIL();
  } catch (std::invalid_argument const& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "tessera: pure_callback: the function returned 2 elements of result 0, which has 3. Fix: return all of them, "
        "or name the result's type: block_type<float, 2, 8>.");
  }
}

}  // namespace
