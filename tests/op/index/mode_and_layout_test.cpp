// SPDX-License-Identifier: Apache-2.0
// at, take and take_along_axis with a mode and out_sharding together, and segments of split rows, against plain loops.

#include "support/rows_outside.hpp"

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace {

using namespace rows_outside;
using ts::P, ts::none;

auto table(auto const& mesh) { return ts::device_put<P<dp, mp>>(ts::host<rows, columns>(numbers()), mesh); }
auto indices(auto const& mesh) { return ts::device_put<P<dp>>(ts::host<rows>(places), mesh); }
// The row that an index names: -1 where it is outside.
int row_of(int place) { return place >= rows || place < -rows ? -1 : place < 0 ? place + rows : place; }
bool same(floats const& x, floats const& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) return false;
  return x.size() == y.size();
}

constexpr auto filled = [](auto x, auto i) { return x.at(i).get(ts::mode::fill, ts::out_sharding<P<dp, mp>>); };
constexpr auto clipped = [](auto x, auto i) {
  return ts::take<0>(x, i, ts::mode::clip, ts::out_sharding<P<none, mp>>);
};
constexpr auto along = [](auto x, auto i) {
  return ts::take_along_axis<0>(x, ts::broadcast_to<rows, columns>(ts::expand_dims<1>(i)), ts::mode::clip,
                                ts::out_sharding<P<mp, dp>>);
};
constexpr auto added = [](auto x, auto i) { return x.at(i).add(x, ts::mode::drop, ts::out_sharding<P<mp, none>>); };
constexpr auto promised = [](auto x, auto i) {
  return x.at(i).multiply(2, ts::mode::promise_in_bounds, ts::out_sharding<P<dp, mp>>);
};

void compare(auto const& f, auto const& want) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  EXPECT_TRUE(same(f(table(mesh), indices(mesh)).to_host(), want));
  EXPECT_TRUE(same(ts::jit(f)(table(mesh), indices(mesh)).to_host(), want));
}
floats read(std::function<float(int row, int column)> const& value) {
  floats want;
  for (int place : places)
    for (int c = 0; c < columns; ++c) want.push_back(value(place, c));
  return want;
}

TEST(mode_and_layout, reads) {
  auto const v = numbers();
  compare(filled, read([&](int place, int c) {
            return row_of(place) < 0 ? NAN : v[std::size_t(row_of(place) * columns + c)];
          }));
  compare(clipped, read([&](int place, int c) {  // take moves negative places to 0
            return v[std::size_t(std::clamp(place, 0, rows - 1) * columns + c)];
          }));
  compare(along, read([&](int place, int c) {
            int const row = std::clamp(place < 0 ? place + rows : place, 0, rows - 1);
            return v[std::size_t(row * columns + c)];
          }));
}
TEST(mode_and_layout, writes) {
  auto const v = numbers();
  floats sums = v, doubled = v;
  for (int i = 0; i < rows; ++i)
    for (int c = 0; c < columns && row_of(places[std::size_t(i)]) >= 0; ++c) {
      auto const to = std::size_t(row_of(places[std::size_t(i)]) * columns + c);
      sums[to] += v[std::size_t(i * columns + c)];
      doubled[to] *= 2;
    }
  compare(added, sums);
  compare(promised, doubled);
}
TEST(mode_and_layout, of_numbers_outside_of_jit) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<none, mp>>(ts::host<rows, columns>(numbers()), mesh);
  auto const row = x.at(100).get(ts::mode::fill, ts::out_sharding<P<>>);
  static_assert(ts::type_text<decltype(row)> == "float32[4]");
  EXPECT_TRUE(same(row.to_host(), floats(columns, NAN)));
  EXPECT_EQ(x.at(-1, 0).set(9, ts::mode::clip, ts::out_sharding<P<dp>>).to_host()[(rows - 1) * columns], 9);
  EXPECT_THROW(x.at(8).get(ts::mode::checked, ts::out_sharding<P<>>), std::out_of_range);
  EXPECT_THROW(x.at(8).add(1, ts::mode::checked, ts::out_sharding<P<dp>>), std::out_of_range);
}

// Indices below 0 are outside: by arrays, and by numbers that are known or not.
TEST(mode_and_layout, without_counting_from_the_end) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const v = numbers();
  auto const at = [&](int row, int c) { return v[std::size_t(row * columns + c)]; };
  auto const inside = [](int place) { return place >= 0 && place < rows; };
  compare([](auto x,
             auto i) { return x.at(i).get(ts::mode::fill.no_wrap(), ts::fill_value(7), ts::out_sharding<P<dp, mp>>); },
          read([&](int place, int c) { return inside(place) ? at(place, c) : 7; }));
  compare([](auto x, auto i) { return x.at(i).get(ts::mode::clip.no_wrap(), ts::out_sharding<P<none, mp>>); },
          read([&](int place, int c) { return at(std::clamp(place, 0, rows - 1), c); }));
  floats sums = v;
  for (int i = 0; i < rows; ++i)
    for (int c = 0; c < columns && inside(places[std::size_t(i)]); ++c)
      sums[std::size_t(places[std::size_t(i)] * columns + c)] += at(i, c);
  compare([](auto x, auto i) { return x.at(i).add(x, ts::mode::drop.no_wrap(), ts::out_sharding<P<mp, none>>); }, sums);
  auto const x = ts::device_put<P<none, mp>>(ts::host<rows, columns>(v), mesh);
  for (int place : {-1, 2, 100, -100}) {
    floats filled, clipped, written = v;
    for (int c = 0; c < columns; ++c) {
      filled.push_back(inside(place) ? at(place, c) : NAN);
      clipped.push_back(at(std::clamp(place, 0, rows - 1), c));
      if (inside(place)) written[std::size_t(place * columns + c)] = 9;
    }
    EXPECT_TRUE(same(x.at(place).get(ts::mode::fill.no_wrap()).to_host(), filled));
    EXPECT_TRUE(same(x.at(place).get(ts::mode::clip.no_wrap()).to_host(), clipped));
    auto const small = ts::asarray(static_cast<std::int8_t>(place));
    EXPECT_TRUE(same(x.at(small).get(ts::mode::fill.no_wrap()).to_host(), filled));
    EXPECT_TRUE(same(x.at(ts::asarray(place)).get(ts::mode::clip.no_wrap()).to_host(), clipped));
    EXPECT_TRUE(same(x.at(place).set(9, ts::mode::drop.no_wrap()).to_host(), written));
    EXPECT_TRUE(same(x.at(small).set(9, ts::mode::drop.no_wrap()).to_host(), written));
  }
}

// Rows and ids are split over dp.
constexpr auto sums = [](auto x, auto i) { return ts::segment_sum<4>(x, i, ts::out_sharding<P<none, mp>>); };
constexpr auto largest = [](auto x, auto i) { return ts::segment_max<4>(x, i, ts::out_sharding<P<dp, mp>>); };
constexpr auto smallest = [](auto x, auto i) { return ts::segment_min<4>(x, i, ts::out_sharding<P<>>); };
constexpr auto products = [](auto x, auto i) { return ts::segment_prod<4>(x, i, ts::out_sharding<P<none, mp>>); };

TEST(mode_and_layout, segments_of_split_rows) {
  auto const v = numbers();
  auto const fold = [&](float start, auto const& combine) {
    floats want(4 * columns, start);
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c < columns; ++c)
        if (int const id = places[std::size_t(i)]; id >= 0 && id < 4) {
          auto& total = want[std::size_t(id * columns + c)];
          total = combine(total, v[std::size_t(i * columns + c)]);
        }
    return want;
  };
  compare(sums, fold(0, std::plus<float>{}));
  compare(largest, fold(-INFINITY, [](float a, float b) { return std::fmax(a, b); }));
  compare(smallest, fold(INFINITY, [](float a, float b) { return std::fmin(a, b); }));
  compare(products, fold(1, std::multiplies<float>{}));
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const counts = ts::bincount<4>(indices(mesh), ts::out_sharding<P<dp>>);
  static_assert(ts::type_text<decltype(counts)> == "int32[4@dp]");
  EXPECT_EQ(counts.to_host(), (std::vector<int>{1, 0, 0, 2}));
}
// Each device adds up its own rows, so that one all_reduce of the segments follows.
using split_rows = ts::array_type<float, ts::shape<rows, columns>, P<dp>, grid>;
using split_ids = ts::array_type<int, ts::shape<rows>, P<dp>, grid>;
constexpr auto whole = [](auto x, auto i) { return ts::segment_sum<4>(x, i, ts::out_sharding<P<>>); };
static_assert(ts::comm_of<decltype(whole), split_rows, split_ids>.count() == 1);
static_assert(ts::comm_of<decltype(whole), split_rows, split_ids>.count<dp>(ts::collective::all_reduce) == 1);
static_assert(ts::comm_of<decltype(whole), split_rows, split_ids>.bytes() == 4 * columns * 4 * 6 / 4);

// cov of split observations is a sum over them; split variables are refused, with a fix that helps.
struct of_variables {
  constexpr auto operator()(auto x) const { return ts::cov(x); }
};
using observations = ts::array_type<float, ts::shape<3, 8>, P<none, dp>, grid>;
using variables = ts::array_type<float, ts::shape<4, 8>, P<dp>, grid>;
static_assert(ts::comm_of<of_variables, observations>.count() == 2);  // of the mean, of the products
TEST(mode_and_layout, cov_of_split_variables) {
  auto const text = ts::why_text<of_variables, variables>();
  EXPECT_NE(text.find("dimension 0 is split over dp, and has to be whole"), std::string::npos) << text;
  EXPECT_NE(text.find("reshard<P<>>(x) first"), std::string::npos) << text;
}

}  // namespace
