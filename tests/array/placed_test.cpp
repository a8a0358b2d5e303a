// SPDX-License-Identifier: Apache-2.0
// Arrays put where a sharding object, or the current mesh, says.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <numeric>

#include "support/printed.hpp"
#include "support/throws.hpp"

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using turned = ts::mesh<ts::explicit_axis<mp, 2>, ts::explicit_axis<dp, 4>>;
using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;

std::vector<float> const numbers = [] {
  std::vector<float> v(32);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}();
auto const data = ts::host<8, 4>(numbers);

TEST(device_put_with_a_sharding, its_type_carries_the_layout) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::named_sharding const sharding{mesh, ts::P<dp, mp>{}};
  auto const x = ts::device_put(data, sharding);
  static_assert(ts::type_text<decltype(x)::type> == "float32[8@dp,4@mp]");
  EXPECT_EQ(x.to_host(), numbers);
  EXPECT_TRUE(x.sharding() == sharding);
  auto const y = ts::device_put(ts::reshape<8, 4>(ts::arange<float, 32>()), sharding);
  static_assert(std::is_same_v<decltype(x), decltype(y)>);
  EXPECT_EQ(y.to_host(), numbers);
  EXPECT_EQ(y.sharding().mesh(), mesh);
}

TEST(device_put_with_a_sharding, of_another_array) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<dp, mp>>(data, mesh);
  auto const rows = ts::device_put<ts::P<ts::none, dp>>(x);
  auto const moved = ts::device_put(x, rows.sharding());
  static_assert(std::is_same_v<decltype(moved), decltype(rows)>);
  EXPECT_EQ(moved.to_host(), numbers);
  EXPECT_TRUE(moved.sharding() == rows.sharding());
  EXPECT_TRUE(ts::device_put(x, x.sharding()).stored().memory.shares_with(x.stored().memory)) << "lies so already";
  EXPECT_EQ(ts::reshard(data, x.sharding()).to_host(), numbers);
}

TEST(device_put_with_a_sharding, onto_other_devices_and_meshes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<dp, mp>>(data, mesh);
  auto const reversed = ts::make_mesh<grid>(ts::devices(), ts::device_order{{7, 6, 5, 4, 3, 2, 1, 0}});
  auto const there = ts::device_put(x, ts::named_sharding{reversed, ts::P<mp>{}});
  EXPECT_EQ(printed(ts::typeof_(there)), "float32[8@mp,4]");
  EXPECT_EQ(there.mesh(), reversed);
  EXPECT_EQ(there.to_host(), numbers);
  auto const other = ts::device_put(x, ts::named_sharding{ts::make_mesh<turned>(ts::devices()), ts::P<dp>{}});
  EXPECT_EQ(printed(other.sharding().spec()), "P('dp', None)");
  EXPECT_EQ(other.to_host(), numbers);
  auto const one = ts::device_put(x, ts::asarray({1.f}).sharding());
  EXPECT_EQ(printed(ts::typeof_(one)), "float32[8,4]");
  EXPECT_EQ(one.device(), ts::default_device());
}

TEST(device_put_with_a_sharding, into_its_memory) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::named_sharding const parked{mesh, ts::P<dp>{}, ts::on_host{}};
  auto const x = ts::device_put(data, parked);
  EXPECT_EQ(printed(ts::typeof_(x)), "float32<host>[8@dp,4]");
  EXPECT_EQ(x.sharding().memory(), ts::memory_kind::host);
  auto const back = ts::device_put(x, parked.with_memory(ts::on_device{}));
  EXPECT_EQ(printed(ts::typeof_(back)), "float32[8@dp,4]");
  EXPECT_EQ(printed(ts::typeof_(ts::device_put(back, x.sharding()))), "float32<host>[8@dp,4]");
  EXPECT_EQ(back.to_host(), numbers);
}

TEST(device_put_with_a_sharding, over_auto_axes_as_it_really_lies) {
  auto const mesh = ts::make_mesh<automatic>(ts::devices());
  auto const x = ts::device_put(data, ts::named_sharding{mesh, ts::P<dp, mp>{}});
  EXPECT_EQ(printed(ts::typeof_(x)), "float32[8,4]");
  EXPECT_EQ(printed(x.sharding().spec()), "P('dp', 'mp')");
  auto const y = ts::device_put(data, x.sharding());
  static_assert(std::is_same_v<decltype(x), decltype(y)>);
  EXPECT_EQ(printed(y.sharding().spec()), "P('dp', 'mp')");
  auto const z = ts::device_put(ts::device_put<ts::P<mp>>(x), x.sharding());
  EXPECT_EQ(printed(z.sharding().spec()), "P('dp', 'mp')");
  EXPECT_EQ(z.to_host(), numbers);
}

TEST(reshard_onto_the_current_mesh, host_data_constants_and_arrays) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  EXPECT_THROW_TEXT((ts::reshard<ts::P<dp>, grid>(data)), "no current AbstractMesh('dp': 4, 'mp': 2");
  ts::use_mesh const current{mesh};
  auto const x = ts::reshard<ts::P<dp, mp>, grid>(data);
  EXPECT_EQ(printed(ts::typeof_(x)), "float32[8@dp,4@mp]");
  EXPECT_EQ(x.to_host(), numbers);
  auto const counted = ts::sin(ts::reshard<ts::P<dp>, grid>(ts::arange<float, 8>()));
  EXPECT_EQ(printed(ts::typeof_(counted)), "float32[8@dp]");
  EXPECT_NEAR(counted.to_host()[2], 0.9092974, 1e-6);
  auto const alone = ts::reshard<ts::P<mp>, grid>(ts::asarray({1, 2, 3, 4}));
  EXPECT_EQ(printed(ts::typeof_(alone)), "int32[4@mp]");
  auto const elsewhere = ts::device_put<ts::P<mp>>(data, ts::make_mesh<turned>(ts::devices()));
  ts::transfer_log log;
  auto const here = ts::reshard<ts::P<dp>, grid>(elsewhere);
  EXPECT_EQ(here.mesh(), mesh);
  EXPECT_EQ(here.to_host(), numbers);
  EXPECT_GE(log.bytes(), 128) << "what moves is written down";
  EXPECT_EQ((ts::reshard<ts::P<ts::none, dp>, grid>(x).to_host()), numbers);
}

TEST(device_put_onto_the_current_mesh, of_anything) {
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};
  auto const counted = ts::device_put<ts::P<dp>, grid>(ts::arange<float, 8>());
  static_assert(ts::type_text<decltype(counted)::type> == "float32[8@dp]");
  EXPECT_EQ(counted.to_host()[3], 3);
  EXPECT_EQ(printed(ts::typeof_(ts::device_put<ts::P<mp>, grid>(std::vector<int>(4)))), "int32[?@mp]");
  EXPECT_EQ(printed(ts::typeof_(ts::device_put<ts::P<>, grid>(2.5f))), "float32[]");
  auto const x = ts::device_put<ts::P<dp, mp>, grid>(data);
  EXPECT_EQ(printed(ts::typeof_(ts::device_put<ts::P<ts::none, dp>, grid>(x))), "float32[8,4@dp]");
  auto const elsewhere = ts::device_put<ts::P<mp>>(data, ts::make_mesh<turned>(ts::devices()));
  EXPECT_EQ((ts::device_put<ts::P<dp>, grid>(elsewhere).to_host()), numbers);
  auto const [rows, one] = ts::device_put<std::tuple<ts::P<mp>, ts::P<>>, grid>(std::tuple{data, 1});
  EXPECT_EQ(printed(ts::typeof_(rows)), "float32[8@mp,4]");
  EXPECT_EQ(one.item(), 1);
  auto const traced =
      ts::jit([](auto a) { return ts::device_put<ts::P<dp>, grid>(a); })(ts::asarray(ts::ones<int, 8>()));
  static_assert(ts::type_text<decltype(traced)::type> == "int32[8@dp]");
}

TEST(device_put, of_numbers_and_vectors) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const third = ts::devices()[3];
  auto const alone = ts::device_put(0.5f, third);
  static_assert(ts::type_text<decltype(alone)::type> == "float32[]");
  EXPECT_EQ(alone.device(), third);
  EXPECT_EQ(alone.to_host(), std::vector{0.5f});
  EXPECT_EQ(ts::device_put(true).to_host()[0], true);
  EXPECT_FALSE(ts::device_put(7).committed());
  EXPECT_EQ(ts::device_put<ts::P<>>(7, mesh).devices().size(), 8u);
  EXPECT_TRUE(ts::device_put(7.0, ts::named_sharding{mesh, ts::P<>{}}).sharding().is_fully_replicated());
  auto const row = ts::device_put(numbers, third);
  EXPECT_EQ(row.device(), third);
  EXPECT_EQ(row.to_host(), numbers);
  EXPECT_EQ(ts::device_put(numbers).to_host(), numbers);
}

}  // namespace
