// SPDX-License-Identifier: Apache-2.0
// roll by a number of places that is known when the program runs, against std::rotate of rows.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

namespace ts = tessera;

std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i) + 0.5f;
  return v;
}
// Rows of `width` elements, moved within columns or within rows.
std::vector<float> moved(std::vector<float> const& x, std::size_t width, int places, bool rows) {
  std::vector<float> to(x.size());
  auto const height = static_cast<int>(x.size() / width), wide = static_cast<int>(width);
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < wide; ++j) {
      int const k = rows ? ((i + places) % height + height) % height : i;
      int const l = rows ? j : ((j + places) % wide + wide) % wide;
      to[static_cast<std::size_t>(k * wide + l)] = x[static_cast<std::size_t>(i * wide + j)];
    }
  return to;
}

TEST(roll_by, a_number_of_places) {
  auto const values = counted(12);
  auto const x = ts::asarray(ts::host<4, 3>(values));
  auto const first = ts::jit([](auto a, auto n) { return ts::roll<0>(a, n); });
  auto const last = ts::jit([](auto a, auto n) { return ts::roll<-1>(a, n); });
  auto const all = ts::jit([](auto a, auto n) { return ts::roll(a, n); });
  for (int const places : {0, 1, 3, 4, 5, -1, -7, 1000001}) {
    EXPECT_EQ(first(x, places).to_host(), moved(values, 3, places, true)) << places;
    EXPECT_EQ(ts::roll<0>(x, places).to_host(), moved(values, 3, places, true)) << places;
    EXPECT_EQ(last(x, ts::asarray(places)).to_host(), moved(values, 3, places, false)) << places;
    EXPECT_EQ(all(x, places).to_host(), moved(values, 12, places, false)) << places;
    EXPECT_EQ(ts::roll(ts::asarray(ts::host<12>(values)), places).to_host(), moved(values, 12, places, false));
  }
  EXPECT_EQ(ts::roll<0>(x, std::int8_t{-3}).to_host(), moved(values, 3, -3, true));
  EXPECT_EQ(ts::roll<0>(x, 7u).to_host(), moved(values, 3, 7, true));
  EXPECT_EQ(ts::roll<0>(ts::zeros<float, 0, 2>(), 3).size(), 0);
}

TEST(roll_by, turns_its_gradient_back) {
  auto const values = counted(12);
  auto const x = ts::asarray(ts::host<4, 3>(values));
  auto const slope = ts::jit([](auto a, auto n) {
    return ts::grad([&](auto b) { return ts::sum(ts::roll<0>(b, n) * ts::reshape<4, 3>(ts::iota<float, 0, 12>())); })(
        a);
  })(x, 1);
  std::vector<float> weights(12);
  for (std::size_t i = 0; i < 12; ++i) weights[i] = static_cast<float>(i);
  EXPECT_EQ(slope.to_host(), moved(weights, 3, -1, true));
}

// Each row by its own number of places.
TEST(roll_by, in_vmap) {
  auto const values = counted(12);
  auto const rows = ts::vmap([](auto row, auto n) { return ts::roll(row, n); });
  auto const got = rows(ts::asarray(ts::host<4, 3>(values)), ts::asarray({0, 1, -1, 5})).to_host();
  std::vector<float> wanted;
  int const places[]{0, 1, -1, 5};
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<float> const row(values.begin() + static_cast<long>(3 * i),
                                 values.begin() + static_cast<long>(3 * i + 3));
    auto const turned = moved(row, 3, places[i], false);
    wanted.insert(wanted.end(), turned.begin(), turned.end());
  }
  EXPECT_EQ(got, wanted);
}

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
using free_line = ts::mesh<ts::auto_axis<dp, 4>>;

TEST(roll_by, of_split_rows) {
  auto const values = counted(24);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 3>(values), ts::make_mesh<line>(ts::devices()));
  auto const along = ts::roll<1>(x, 2);
  static_assert(ts::type_text<decltype(along)> == "float32[8@dp,3]");
  EXPECT_EQ(along.to_host(), moved(values, 3, 2, false));
  auto const across = ts::roll<0>(ts::reshard<ts::P<>>(x), 3);
  EXPECT_EQ(across.to_host(), moved(values, 3, 3, true));
  auto const chosen = ts::device_put<ts::P<dp>>(ts::host<8, 3>(values), ts::make_mesh<free_line>(ts::devices()));
  EXPECT_EQ(ts::roll<0>(chosen, -3).to_host(), moved(values, 3, -3, true));
}

}  // namespace
