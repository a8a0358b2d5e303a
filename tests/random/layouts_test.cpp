// SPDX-License-Identifier: Apache-2.0
// Every layout of a result, even and uneven, has the numbers of the whole array; what they are like: chi-square, Kolmogorov and
// Smirnov, correlations of neighbors, in one array and of keys that follow each other.

#include <tessera/random/random.hpp>
#include <tessera/tessera.hpp>
#include <tessera/testing/check_op.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

namespace ts = tessera;
namespace kit = ts::testing;
using kit::dense_array;
using ts::dtype;
struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

// The same draw by a program on one device.
template <class Op>
dense_array alone(ts::attributes const& attrs, std::vector<dense_array> const& x) {
  ts::builder b;
  b.recorded.mesh = kit::detail::small_mesh(1, 1);
  ts::array_value facts;
  facts.element = dtype::uint32;
  facts.add_dim(2);
  std::vector<ts::term> operands{b.argument(ts::info<ts::ops::argument>, facts)};
  for (std::size_t k = 1; k < x.size(); ++k) operands.push_back(ts::number(b, x[k].values[0], dtype::float64));
  ts::term const y = b.make<Op>(operands.data(), static_cast<int>(operands.size()), attrs);
  b.recorded.outputs.push_back(y.id);
  std::vector<ts::stored_array> in;
  in.push_back(kit::detail::place(x[0], facts, b.recorded.mesh));
  return kit::detail::whole(ts::detail::run_time_program(b.recorded).program(in)[0], b.recorded.mesh);
}
dense_array key_of(double first, double second) { return {{2}, {first, second}}; }

template <class Op>
kit::op_test drawn(ts::attributes const& attrs) {
  return {.inputs = {{.element = dtype::uint32, .extents = {2}, .values = {17, 4000000000}}},
          .attrs = attrs,
          .dense = [attrs](std::vector<dense_array> const& x) { return alone<Op>(attrs, x); },
          .gradient = false,
          .tolerance = 1e-30,
          .meshes = {{2, 2}, {2, 3}, {4, 2}, {2, 4}},
          .out_sharding = true};
}
template <class Op>
void in_every_layout(ts::attributes const& attrs, bool uneven = true) {
  kit::op_test test = drawn<Op>(attrs);
  auto const even = kit::check_op<Op>(test);
  EXPECT_TRUE(even) << even.text;
  test.uneven = true;
  if (!uneven) return;
  auto const odd = kit::check_op<Op>(test);
  EXPECT_TRUE(odd) << odd.text;
}

TEST(random_layouts, draws) {
  in_every_layout<ts::ops::random_bits>(ts::ops::random_params{dtype::uint32, {12, 8}});
  in_every_layout<ts::ops::random_uniform>(ts::ops::random_params{dtype::float64, {6, 4, 2}});
  in_every_layout<ts::ops::random_normal>(ts::ops::random_params{dtype::float32, {7, 5}});
  in_every_layout<ts::ops::random_gumbel>(ts::ops::random_params{dtype::float32, {24}});
  in_every_layout<ts::ops::random_maxwell>(ts::ops::random_params{dtype::float64, {6, 5}});
}

// Elements taken out of an array that is split are those of the whole array.
struct taken {
  constexpr auto operator()(auto key, auto x, auto p) const {
    auto const [a, b, c] = ts::random::split<3>(key);
    if constexpr (decltype(x)::type::value.entry(0).empty()) {
      return std::tuple{ts::random::choice<4>(a, x), ts::random::choice<4>(b, x, ts::random::without_replacement),
                        ts::random::choice<4>(c, x, p)};
    } else {
      constexpr auto out = ts::out_sharding<ts::P<dp>>;
      return std::tuple{ts::random::choice<4>(a, x, out),
                        ts::random::choice<4>(b, x, ts::random::without_replacement, out),
                        ts::random::choice<4>(c, x, p, out)};
    }
  }
};
TEST(random_layouts, choice_from_blocks) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<float> const numbers{1, 2, 3, 4, 5, 6, 7, 8};
  auto const p = ts::device_put<ts::P<ts::none>>(ts::host<8>(numbers), mesh);
  auto const key = ts::random::key(5);
  auto const whole = ts::jit<taken>(key, p, p);
  auto const split = ts::jit<taken>(key, ts::device_put<ts::P<dp>>(p, mesh), p);
  auto const same = [](auto const& x, auto const& y) {
    auto const left = x.to_host(), right = y.to_host();
    EXPECT_TRUE(std::equal(left.begin(), left.end(), right.begin(), right.end()));
  };
  same(std::get<0>(whole), std::get<0>(split));
  same(std::get<1>(whole), std::get<1>(split));
  same(std::get<2>(whole), std::get<2>(split));
}

// 8192 numbers of a key.
std::vector<double> many(dtype element, bool normal, double seed) {
  ts::attributes const attrs = ts::ops::random_params{element, {8192}};
  auto x = normal ? alone<ts::ops::random_normal>(attrs, {key_of(0, seed)})
                  : alone<ts::ops::random_uniform>(attrs, {key_of(0, seed)});
  return x.values;
}
double correlation(std::vector<double> const& x, std::vector<double> const& y) {
  double const n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

TEST(random_statistics, uniform) {
  for (double seed : {0.0, 1.0, 12345.0}) {
    auto x = many(dtype::float32, false, seed);
    std::vector<double> cells(64);
    for (double u : x) {
      ASSERT_TRUE(u >= 0 && u < 1);
      ++cells[u * 64];
    }
    double chi = 0;
    for (double c : cells) chi += (c - 128) * (c - 128) / 128;
    EXPECT_LT(chi, 110);  // 63 degrees of freedom: exceeded once in 4000 times
    EXPECT_GT(chi, 30);
    std::vector<double> next(x.begin() + 1, x.end());
    x.pop_back();
    EXPECT_LT(std::abs(correlation(x, next)), 4 / std::sqrt(8192.0));
  }
}

#ifndef TESSERA_BY_DAY
TEST(random_statistics, normal) {
  auto x = many(dtype::float32, true, 3);
  std::sort(x.begin(), x.end());
  double furthest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const below = 0.5 * std::erfc(-x[i] / std::sqrt(2.0)), n = static_cast<double>(x.size());
    furthest = std::max(
        {furthest, std::abs(below - static_cast<double>(i) / n), std::abs(below - static_cast<double>(i + 1) / n)});
  }
  EXPECT_LT(furthest, 1.95 / std::sqrt(8192.0));  // once in 1000 times
}
TEST(random_statistics, keys_that_follow_each_other) {
  auto before = many(dtype::float32, true, 100);
  for (int k = 1; k <= 8; ++k) {
    auto const after = many(dtype::float32, true, 100 + k);
    EXPECT_LT(std::abs(correlation(before, after)), 4 / std::sqrt(8192.0)) << k;
    before = after;
  }
}

TEST(random_places, beyond_32_bits) {
  ts::builder b;
  b.recorded.mesh = kit::detail::small_mesh(1, 1);
  EXPECT_EQ(ts::detail::places_in(b, {std::int64_t{1} << 16, std::int64_t{1} << 16}, {}).facts().element, dtype::int32);
  EXPECT_EQ(ts::detail::places_in(b, {(std::int64_t{1} << 16) + 1, std::int64_t{1} << 16}, {}).facts().element,
            dtype::int64);
}
#endif

}  // namespace
