// SPDX-License-Identifier: Apache-2.0
// get(mode::fill, fill_value(v)): what is read outside, of arrays, numbers and windows, over layouts; its gradient.

#include "support/rows_outside.hpp"

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace rows_outside;
using ts::P, ts::none;

floats read(float outside) {
  floats want;
  for (int p : places)
    for (int c = 0; c < columns; ++c)
      want.push_back(
          p >= rows || p < -rows ? outside : numbers()[static_cast<std::size_t>((p < 0 ? p + rows : p) * columns + c)]);
  return want;
}
template <class S>
struct filled {
  constexpr auto operator()(auto x, auto i) const {
    return x.at(i).get(ts::mode::fill, ts::fill_value(2.5), ts::out_sharding<S>);
  }
};
template <class X, class S, class F>
void compare(F const& f) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<X>(ts::host<rows, columns>(numbers()), mesh);
  auto const i = ts::device_put<S>(ts::host<rows>(places), mesh);
  EXPECT_EQ(f(x, i).to_host(), read(2.5f));
  EXPECT_EQ(ts::jit(f)(x, i).to_host(), read(2.5f));
}
TEST(fill_value, in_each_layout) {
  compare<P<dp, mp>, P<dp>>(filled<P<dp, mp>>{});
  compare<P<none, mp>, P<dp>>(filled<P<mp>>{});
  compare<P<mp>, P<>>(filled<P<>>{});
  compare<P<none, mp>, P<>>([](auto x, auto i) { return x.at(i).get(ts::mode::fill, ts::fill_value(2.5)); });
  compare<P<>, P<>>([](auto x, auto i) {  // the value of an array
    return x.at(i).get(ts::mode::fill, ts::fill_value(ts::sum(x) * 0 + 2.5f));
  });
}
// Only the table is gathered, as without a value.
struct plain {
  constexpr auto operator()(auto x, auto i) const { return x.at(i).get(ts::mode::fill, ts::out_sharding<P<mp>>); }
};
using table = ts::array_type<float, ts::shape<8, 4>, P<dp>, grid>;
using indices = ts::array_type<int, ts::shape<8>, P<>, grid>;
static_assert(ts::comm_of<filled<P<mp>>, table, indices>.bytes() == ts::comm_of<plain, table, indices>.bytes());
static_assert(ts::comm_of<plain, table, indices>.bytes() == 3 * 8 * 4);

// By take, which fills without a mode.
TEST(fill_value, of_take) {
  compare<P<dp, mp>, P<dp>>(
      [](auto x, auto i) { return ts::take<0>(x, i, ts::fill_value(2.5), ts::out_sharding<P<dp, mp>>); });
  compare<P<none, mp>, P<>>([](auto x, auto i) { return ts::take<0>(x, i, ts::fill_value(2.5)); });
  compare<P<none, mp>, P<>>([](auto x, auto i) { return ts::take<0>(x, i, ts::mode::fill, ts::fill_value(2.5f)); });
  compare<P<mp>, P<>>(
      [](auto x, auto i) { return ts::take<0>(x, i, ts::mode::fill, ts::fill_value(2.5f), ts::out_sharding<P<>>); });
  auto const x = ts::asarray({1, 2, 3, 4});
  auto const i = ts::asarray({-1, 4, 0, 9});
  EXPECT_EQ(ts::take(x, i, ts::fill_value(-7)).to_host(), (std::vector<int>{4, -7, 1, -7}));
  EXPECT_EQ(ts::take(x, i, ts::mode::clip, ts::fill_value(-7)).to_host(), (std::vector<int>{1, 4, 1, 4}));
  EXPECT_EQ(ts::take_along_axis<0>(x, i, ts::fill_value(-7)).to_host(), (std::vector<int>{4, -7, 1, -7}));
  EXPECT_EQ(ts::take_along_axis<0>(x, i, ts::mode::fill, ts::fill_value(0)).to_host(), (std::vector<int>{4, 0, 1, 0}));
}

// One number for all.
struct of_many {
  constexpr auto operator()(auto x, auto i) const { return x.at(i).get(ts::mode::fill, ts::fill_value(i)); }
};
static_assert(!std::is_void_v<ts::why<of_many, ts::array_type<float, ts::shape<8, 4>, P<>, grid>, indices>>);
static_assert(std::is_void_v<ts::why<filled<P<mp>>, table, indices>>);

TEST(fill_value, of_numbers_spans_and_dtypes) {
  auto const x = ts::asarray({1, 2, 3, 4});
  EXPECT_EQ(x.at(4).get(ts::mode::fill, ts::fill_value(-1)).item(), -1);
  EXPECT_EQ(x.at(-4).get(ts::mode::fill, ts::fill_value(-1)).item(), 1);
  EXPECT_EQ(x.at(ts::asarray({0, 9})).get(ts::mode::fill, ts::fill_value(0)).to_host(), (std::vector<int>{1, 0}));
  EXPECT_EQ(x.at(ts::asarray({0, 9})).get(ts::mode::clip, ts::fill_value(0)).to_host(), (std::vector<int>{1, 4}));
  auto const square = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  auto const part = [](auto y, auto i) { return y.at(i, ts::span<0, 1>()).get(ts::mode::fill, ts::fill_value(9)); };
  EXPECT_EQ(ts::jit(part)(square, ts::asarray({1, 2})).to_host(), (floats{3, 9}));
  EXPECT_EQ(ts::jit(part)(square, 1).to_host(), floats{3});
  EXPECT_EQ(ts::jit(part)(square, -3).to_host(), floats{9});
  auto const known = [](auto y) { return y.at(5).get(ts::mode::fill, ts::fill_value(7)); };
  EXPECT_EQ(ts::jit(known)(square).to_host(), (floats{7, 7}));
}

// What is filled has no gradient.
struct squares {
  constexpr auto operator()(auto x, auto i) const {
    auto const y = x.at(i).get(ts::mode::fill, ts::fill_value(3));
    return ts::sum(y * y);
  }
};
TEST(fill_value, gradient) {
  auto const slope = ts::grad(squares{})(ts::asarray({1.f, 2.f, 3.f}), ts::asarray({2, 0, 2, 5}));
  EXPECT_EQ(slope.to_host(), (floats{2, 0, 12}));
}

}  // namespace
