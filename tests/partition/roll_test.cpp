// SPDX-License-Identifier: Apache-2.0
// roll along a split dimension: only what crosses the borders of blocks is sent, in values, gradients and vmap.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using strict = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

template <int Shift>
struct rolled {
  constexpr auto operator()(auto x) const { return ts::roll<Shift, 0>(x); }
};
template <class F, class S, std::int64_t... N>
inline constexpr auto const& cost_of = ts::comm_of<decltype(ts::jit<ts::in_shardings<S>, ts::out_shardings<S>>(F{})),
                                                   ts::array_type<float, ts::shape<N...>, ts::P<>, grid>>;
template <int Shift>
inline constexpr auto const& over_dp = cost_of<rolled<Shift>, ts::P<dp>, 64, 32>;

constexpr std::int64_t row = 32 * sizeof(float);  // blocks have 16
static_assert(over_dp<1>.count(ts::collective::permute) == 1 && over_dp<1>.bytes() == row);
static_assert(over_dp<-3>.count() == 1 && over_dp<-3>.bytes() == 3 * row);
static_assert(over_dp<16>.count() == 1 && over_dp<16>.bytes() == 16 * row);  // blocks, as they are
static_assert(over_dp<20>.count() == 2 && over_dp<20>.bytes() == 16 * row);
static_assert(over_dp<61>.count() == 1 && over_dp<61>.bytes() == 3 * row);  // 3 the other way
static_assert(over_dp<64>.count() == 0);
static_assert(cost_of<rolled<1>, ts::P<ts::none, dp>, 64, 32>.count() == 0);
static_assert(cost_of<rolled<2>, ts::P<ts::axes<dp, mp>>, 64, 32>.bytes() == 2 * row);

using x_type = ts::array_type<float, ts::shape<64, 32>, ts::P<dp>, strict>;
static_assert(ts::comm_of<rolled<4>, x_type>.bytes() == 4 * row);

struct difference {  // of neighbors, as on a grid with periodic borders
  constexpr auto operator()(auto x) const { return ts::sum(ts::square(x - ts::roll<1, 0>(x))); }
};
using slope = decltype(ts::grad(difference{}));
static_assert(cost_of<slope, ts::P<dp>, 64, 32>.bytes() == 2 * row);  // there and back
struct batch {
  constexpr auto operator()(auto x) const {
    return ts::vmap([](auto y) { return ts::roll<1, 0>(y); })(x);
  }
};
static_assert(cost_of<batch, ts::P<ts::none, dp>, 4, 64, 32>.bytes() == 4 * row);

template <int Shift, class S>
void expect_rolled(S) {
  std::vector<float> numbers(64 * 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  auto const mesh = ts::make_mesh<grid>(ts::local_devices());
  auto const x = ts::device_put<S>(ts::host<64, 3>(numbers), mesh);
  auto const y = ts::jit<ts::in_shardings<S>, ts::out_shardings<S>>(rolled<Shift>{})(x).to_host();
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 3; ++j)
      ASSERT_EQ(y.data()[i * 3 + j], static_cast<float>(((i - Shift) % 64 + 64) % 64 * 3 + j)) << Shift << ": " << i;
}
template <class S>
void expect_all(S s) {
  expect_rolled<1>(s);
  expect_rolled<-1>(s);
  expect_rolled<7>(s);
  expect_rolled<8>(s);
  expect_rolled<16>(s);
  expect_rolled<21>(s);
  expect_rolled<-40>(s);
}

TEST(roll, elements_come_from_the_devices_that_have_them) {
  expect_all(ts::P<dp>{});
  expect_all(ts::P<mp>{});
  expect_all(ts::P<ts::axes<dp, mp>>{});
  expect_all(ts::P<ts::axes<mp, dp>>{});
  expect_all(ts::P<>{});
}

TEST(roll, differentiates_and_maps) {
  std::vector<float> numbers(64 * 32);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 7 % 13);
  auto const mesh = ts::make_mesh<grid>(ts::local_devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<64, 32>(numbers), mesh);
  auto const got = ts::jit<slope>(x).to_host();
  auto const at = [&](int i, int j) { return numbers[(i + 64) % 64 * 32 + j]; };
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 32; ++j) ASSERT_EQ(got.data()[i * 32 + j], 4 * at(i, j) - 2 * at(i - 1, j) - 2 * at(i + 1, j));
  std::vector<float> four(4 * 64 * 32);
  for (std::size_t i = 0; i < four.size(); ++i) four[i] = static_cast<float>(i);
  auto const y = ts::device_put<ts::P<ts::none, dp>>(ts::host<4, 64, 32>(four), mesh);
  auto const mapped = ts::jit<batch>(y).to_host();
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < 64; ++i)
      ASSERT_EQ(mapped.data()[(b * 64 + i) * 32], static_cast<float>((b * 64 + (i + 63) % 64) * 32));
}

}  // namespace
