// SPDX-License-Identifier: Apache-2.0
// device_put in any order of devices: nothing is sent where whole parts only change their devices; never more than in the order
// in which they stand; of all orders the best, tried one after the other.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using square = ts::mesh<ts::auto_axis<dp, 2>, ts::auto_axis<mp, 2>>;

std::vector<float> const numbers = [] {
  std::vector<float> v(128);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}();
auto const data = ts::host<16, 8>(numbers);

template <class S, class X>
auto expect_nothing_sent(X const& x) {
  auto const found = ts::relabeled<S>(x);
  EXPECT_EQ(found.elements, 0);
  EXPECT_GT(found.in_order, 0);
  auto const y = ts::device_put<S>(x, ts::any_order);
  EXPECT_EQ(y.to_host(), x.to_host());
  auto devices = y.mesh().devices(), before = x.mesh().devices();
  EXPECT_NE(devices, before);
  EXPECT_TRUE(std::is_permutation(devices.begin(), devices.end(), before.begin()));
  for (auto const& part : x.addressable_shards())  // each device has what it had
    for (auto const& other : y.addressable_shards())
      EXPECT_TRUE(part.where != other.where || part.index == other.index) << part.where;
  return y;
}

TEST(relabeled, whole_parts_change_their_devices) {
  auto const mesh = ts::make_mesh<grid>(ts::local_devices());
  expect_nothing_sent<ts::P<ts::axes<mp, dp>>>(ts::device_put<ts::P<ts::axes<dp, mp>>>(data, mesh));
  auto const small = ts::make_mesh<square>(ts::local_devices());
  expect_nothing_sent<ts::P<mp, dp>>(ts::device_put<ts::P<dp, mp>>(data, small));
  expect_nothing_sent<ts::P<mp>>(ts::device_put<ts::P<dp>>(data, small));
}

TEST(relabeled, parts_that_change_go_where_most_of_them_is) {
  auto const mesh = ts::make_mesh<grid>(ts::local_devices());
  auto const x = ts::device_put<ts::P<mp, dp>>(data, mesh);
  auto const found = ts::relabeled<ts::P<dp, mp>>(x);
  EXPECT_LT(found.elements, found.in_order);
  auto const y = ts::device_put<ts::P<dp, mp>>(x, ts::any_order);
  EXPECT_EQ(y.to_host(), x.to_host());
}

TEST(relabeled, the_same_layout_keeps_the_order) {
  auto const mesh = ts::make_mesh<grid>(ts::local_devices());
  auto const x = ts::device_put<ts::P<dp, mp>>(data, mesh);
  auto const y = ts::device_put<ts::P<dp>>(x, ts::any_order);
  auto const same = ts::device_put<ts::P<dp, mp>>(x, ts::any_order);
  EXPECT_EQ(same.mesh(), mesh);
  EXPECT_EQ(y.to_host(), x.to_host());
}

TEST(relabeled, no_order_of_devices_is_better) {
  std::mt19937 random(7);
  for (std::size_t n = 1; n <= 6; ++n)
    for (int k = 0; k < 40; ++k) {
      std::vector<std::int64_t> cost(n * n);
      for (auto& c : cost) c = static_cast<std::int64_t>(random() % (k % 2 ? 1000 : 4));
      auto const sum = [&](std::vector<std::size_t> const& order) {
        std::int64_t all = 0;
        for (std::size_t i = 0; i < n; ++i) all += cost[i * n + order[i]];
        return all;
      };
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t{0});
      auto least = sum(order);
      while (std::next_permutation(order.begin(), order.end())) least = std::min(least, sum(order));
      EXPECT_EQ(sum(ts::detail::least_cost_assignment(cost, n)), least) << n << ", " << k;
    }
}

}  // namespace
