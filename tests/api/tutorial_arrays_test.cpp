// SPDX-License-Identifier: Apache-2.0
// JAX's tutorials on arrays and on sharded arrays, as one would write them here: a test for each of their steps.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "support/printed.hpp"

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;

std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}
auto matrix_8x4() {
  return ts::device_put<ts::P<dp, mp>>(ts::host<8, 4>(counted(32)), ts::make_mesh<grid>(ts::devices()));
}

TEST(tutorial_arrays, from_lists_numbers_and_vectors) {
  auto const x = ts::asarray({1, 2, 3});
  EXPECT_EQ(printed(x), "[1 2 3]");
  EXPECT_EQ(printed(ts::typeof_(x)), "int32[3]");
  auto const cube = ts::asarray({{{1.f, 2.f}, {3.f, 4.f}}, {{5.f, 6.f}, {7.f, 8.f}}});
  EXPECT_EQ(printed(ts::typeof_(cube)), "float32[2,2,2]");
  EXPECT_EQ(ts::sum<0>(cube).to_host(), (std::vector<float>{6, 8, 10, 12}));
  EXPECT_EQ(printed(ts::asarray(2.5f)), "2.5");
  EXPECT_EQ(ts::asarray(2.5f).shape(), ts::extents_list{});
  EXPECT_EQ(printed(ts::asarray({true, false})), "[ True False]");
  auto const v = ts::asarray(counted(5));
  EXPECT_EQ(printed(ts::typeof_(v)), "float32[?]");
  EXPECT_EQ(v.shape(), ts::extents_list{5});
  EXPECT_EQ((v + v).to_host(), (std::vector<float>{0, 2, 4, 6, 8}));
}

TEST(tutorial_arrays, arange_reshape_dot) {
  auto const count = ts::arange<12>();  // a constant: no storage yet
  EXPECT_EQ(printed(ts::typeof_(count)), "int32[12]");
  EXPECT_EQ(printed(count), "[ 0  1  2  3  4  5  6  7  8  9 10 11]");
  auto const x = ts::asarray(ts::reshape<3, 4>(count));
  EXPECT_EQ(printed(x), "[[ 0  1  2  3]\n [ 4  5  6  7]\n [ 8  9 10 11]]");
  EXPECT_EQ(printed(x.shape()), "(3, 4)");
  EXPECT_EQ(x.rank, 2);
  EXPECT_EQ(x.size(), 12);
  EXPECT_EQ(x.nbytes(), 48);
  EXPECT_EQ(printed(x.dtype()), "int32");
  EXPECT_EQ(ts::asarray(ts::arange<2, 10, 3>()).to_host(), (std::vector<std::int32_t>{2, 5, 8}));
  auto const a = ts::asarray({1.f, 2.f, 3.f});
  EXPECT_EQ(ts::dot(a, a).item(), 14);
  EXPECT_EQ(ts::dot(x, ts::asarray({1, 1, 1, 1})).to_host(), (std::vector<std::int32_t>{6, 22, 38}));
  EXPECT_EQ(printed(x.T().shape()), "(4, 3)");
  EXPECT_EQ((x * 2 + 1).at(0, 1).get().item(), 3);
  static_assert(std::is_same_v<decltype(ts::asarray(ts::full<2>(2.5)))::element, float>);
  EXPECT_EQ(printed(ts::typeof_(ts::asarray(ts::full<2>(2.5)))), "float32[2]");
}

TEST(tutorial_arrays, devices_and_backends) {
  EXPECT_EQ(ts::device_count(), static_cast<int>(ts::devices().size()));
  EXPECT_EQ(ts::devices(ts::default_backend()), ts::devices());
  EXPECT_EQ(ts::default_device(), ts::devices()[0]);
  EXPECT_THROW(ts::devices("abacus"), std::invalid_argument);
  if (ts::runs_on_host) {
    EXPECT_EQ(ts::default_backend(), "cpu");
    EXPECT_EQ(ts::devices("cpu").size(), 8u);
    EXPECT_EQ(printed(ts::devices("cpu")[3]), "CpuDevice(id=3)");
  }
}

TEST(tutorial_arrays, onto_a_device_between_devices_and_to_the_host) {
  auto const x = ts::asarray({1.f, 2.f, 3.f});
  EXPECT_EQ(x.devices(), std::vector<ts::device>{ts::default_device()});
  auto const there = ts::device_put(x, ts::devices()[3]);
  EXPECT_EQ(there.devices(), std::vector<ts::device>{ts::devices()[3]});
  auto const back = ts::device_put(there, ts::default_device());
  EXPECT_EQ(back.sharding(), x.sharding());
  EXPECT_EQ((there * there).devices(), there.devices()) << "a result is where its operands are";
  EXPECT_THROW(there + back, std::invalid_argument) << "both were put, on two devices";
  EXPECT_EQ((there + x).devices(), there.devices()) << "x was put nowhere";
  EXPECT_EQ(ts::device_put(ts::arange<4>(), ts::devices()[2]).devices()[0].id, 2);
  std::vector<float> const values = ts::device_get(there);
  EXPECT_EQ(values, (std::vector<float>{1, 2, 3}));
  auto const gathered = ts::device_put(matrix_8x4(), ts::devices()[1]);
  EXPECT_EQ(printed(ts::typeof_(gathered)), "float32[8,4]");
  EXPECT_EQ(gathered.devices(), std::vector<ts::device>{ts::devices()[1]});
  EXPECT_EQ(gathered.to_host(), counted(32));
}

TEST(tutorial_arrays, are_immutable) {
  auto const x = ts::asarray(ts::arange<float, 6>());
  EXPECT_EQ(x.at(1).set(9).to_host(), (std::vector<float>{0, 9, 2, 3, 4, 5}));
  EXPECT_EQ(x.at(-1).add(10).to_host(), (std::vector<float>{0, 1, 2, 3, 4, 15}));
  EXPECT_EQ(x.at(ts::span(1, 4)).multiply(ts::asarray({2.f, 3.f, 4.f})).to_host(),
            (std::vector<float>{0, 2, 6, 12, 4, 5}));
  EXPECT_EQ(x.at(ts::span(2, -1)).min(2.5f).to_host(), (std::vector<float>{0, 1, 2, 2.5, 2.5, 5}));
  EXPECT_EQ(x.at(ts::every).max(3).to_host(), (std::vector<float>{3, 3, 3, 3, 4, 5}));
  EXPECT_EQ(x.to_host(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(x.at(6).set(1).to_host(), x.to_host()) << "outside: dropped, as JAX does";
  EXPECT_EQ(x.at(6).get().item(), 5) << "and read from the nearest";
  EXPECT_THROW(x.at(6).get(ts::mode::checked), std::out_of_range);
}

TEST(tutorial_arrays, parts_are_read_as_they_are_written) {
  auto const x = matrix_8x4();
  auto const row = x.at(5).get();
  EXPECT_EQ(printed(ts::typeof_(row)), "float32[4@mp]");
  EXPECT_EQ(row.to_host(), (std::vector<float>{20, 21, 22, 23}));
  auto const column = x.at(ts::every, -1).get();
  EXPECT_EQ(printed(ts::typeof_(column)), "float32[8@dp]");
  EXPECT_EQ(column.to_host(), (std::vector<float>{3, 7, 11, 15, 19, 23, 27, 31}));
  auto const block = x.at(ts::span(1, 4), ts::span(2, 4)).get();
  EXPECT_EQ(printed(ts::typeof_(block)), "float32[?,?]");
  EXPECT_EQ(printed(block.shape()), "(3, 2)");
  EXPECT_EQ(block.to_host(), (std::vector<float>{6, 7, 10, 11, 14, 15}));
  EXPECT_EQ(x.at(7, 3).get().item(), 31);
  EXPECT_EQ(x.at().get().to_host(), counted(32));
  EXPECT_EQ(ts::sum(block).item(), 63);
  EXPECT_EQ(x.at(1).set(row).at(1).get().to_host(), row.to_host()) << "what is read can be written elsewhere";
}

TEST(tutorial_arrays, over_auto_axes) {
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 4>(counted(32)), ts::make_mesh<automatic>(ts::devices()));
  auto const row = x.at(5).get();
  EXPECT_EQ(printed(ts::typeof_(row)), "float32[4]");
  EXPECT_EQ(row.to_host(), (std::vector<float>{20, 21, 22, 23}));
  EXPECT_EQ(printed(row.sharding().spec()), "P('mp',)");
  auto want = counted(32);
  want[5] = want[6] = -1;
  auto const y = x.at(1, ts::span(1, 3)).set(-1);
  EXPECT_EQ(y.to_host(), want);
  EXPECT_EQ(y.sharding(), x.sharding());
  auto const z = ts::device_put<ts::P<ts::axes<mp, dp>>>(y);
  EXPECT_EQ(printed(ts::typeof_(z)), "float32[8,4]");
  EXPECT_EQ(printed(z.sharding().spec()), "P(('mp', 'dp'), None)");
  EXPECT_EQ(z.to_host(), want);
  EXPECT_EQ(ts::device_put<ts::P<>>(z).to_host(), want);
  EXPECT_TRUE((ts::device_put<ts::P<dp, mp>>(x).stored().memory.shares_with(x.stored().memory)));
}

TEST(tutorial_arrays, meshes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  EXPECT_EQ(printed(mesh), "Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))");
  EXPECT_EQ(printed(ts::abstract_mesh<grid>), "AbstractMesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))");
  EXPECT_EQ(mesh.size<dp>(), 4);
  EXPECT_EQ(mesh.device_ids(), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  auto const other = ts::make_mesh<grid>(ts::devices(), ts::device_order{{0, 4, 1, 5, 2, 6, 3, 7}});
  EXPECT_FALSE(mesh == other);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8>(counted(8)), other);
  EXPECT_EQ(x.addressable_shards()[3].where.id, 5);
  EXPECT_EQ(x.addressable_shards()[3].index, (ts::region{{2, 4}}));
  auto const y = ts::device_put<ts::P<dp>>(x, mesh);
  EXPECT_EQ(y.mesh(), mesh);
  EXPECT_EQ(y.to_host(), counted(8));
}

TEST(tutorial_arrays, the_current_mesh) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const values = counted(8);
  EXPECT_THROW((ts::device_put<ts::P<dp>, grid>(ts::host<8>(values))), std::logic_error);
  {
    ts::use_mesh const guard{mesh};
    auto const x = ts::device_put<ts::P<dp>, grid>(ts::host<8>(values));
    EXPECT_EQ(x.mesh(), mesh);
    auto const zeros = ts::asarray(ts::zeros<float, 8, 4>(ts::out_sharding<ts::P<dp>, grid>));
    EXPECT_EQ(printed(ts::typeof_(zeros)), "float32[8@dp,4]");
    EXPECT_EQ(zeros.mesh(), mesh);
    EXPECT_EQ(zeros.to_host(), std::vector<float>(32));
    auto const count = ts::asarray(ts::arange<float, 8>(ts::out_sharding<ts::P<mp>, grid>));
    EXPECT_EQ(count.to_host(), counted(8));
  }
  EXPECT_THROW(ts::current_mesh<grid>(), std::logic_error);
  ts::set_mesh(mesh);
  EXPECT_EQ(ts::current_mesh<grid>(), mesh);
  ts::set_mesh(ts::device_mesh<grid>{});
  EXPECT_FALSE(ts::has_current_mesh<grid>());
}

TEST(tutorial_arrays, shardings) {
  auto const x = matrix_8x4();
  EXPECT_EQ(printed(x.sharding()),
            "NamedSharding(mesh=Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)), spec=P('dp', 'mp'), "
            "memory_kind=device)");
  EXPECT_EQ(x.sharding().mesh(), ts::make_mesh<grid>(ts::devices()));
  EXPECT_TRUE((x.sharding().spec() == ts::P<dp, mp>{}));
  EXPECT_EQ(printed(x.sharding().spec()), "P('dp', 'mp')");
  static_assert(ts::typeof_t<decltype(x)>::sharding().mesh() == ts::abstract_mesh<grid>);
  static_assert(ts::typeof_t<decltype(x)>::sharding().spec() == ts::P<dp, mp>{});
  EXPECT_EQ(printed(ts::typeof_(x).sharding().spec()), "P('dp', 'mp')");
  EXPECT_EQ(x.devices(), ts::devices());
  EXPECT_FALSE(x.is_fully_replicated());
  EXPECT_EQ(printed(ts::asarray({1.f}).sharding()),
            "SingleDeviceSharding(device=" + printed(ts::default_device()) + ", memory_kind=device)");
}

TEST(tutorial_arrays, shards) {
  auto const x = matrix_8x4();
  auto const shards = x.addressable_shards();
  ASSERT_EQ(shards.size(), 8u);
  std::vector<float> sum(32);
  for (auto const& s : shards) {
    EXPECT_EQ(s.shape(), (ts::extents_list{2, 2}));
    EXPECT_EQ(s.replica_id, 0);
    auto const block = s.to_host();
    ASSERT_EQ(block.size(), 4u);
    for (std::int64_t i = s.index[0].start; i < s.index[0].stop; ++i)
      for (std::int64_t j = s.index[1].start; j < s.index[1].stop; ++j)
        sum[4 * i + j] += block[2 * (i - s.index[0].start) + j - s.index[1].start];
  }
  EXPECT_EQ(sum, counted(32)) << "the shards are the array";
  auto const rows = ts::device_put<ts::P<dp>>(x);
  EXPECT_EQ(rows.addressable_shards()[4].replica_id, 0);
  EXPECT_EQ(rows.addressable_shards()[5].replica_id, 1);
  EXPECT_EQ(rows.addressable_shards()[5].to_host(), rows.addressable_shards()[4].to_host());
}

TEST(tutorial_arrays, other_layouts) {
  auto const x = matrix_8x4();
  auto const columns = ts::reshard<ts::P<ts::none, ts::axes<dp>>>(x);
  EXPECT_EQ(printed(ts::typeof_(columns)), "float32[8,4@dp]");
  auto const whole = ts::device_put<ts::P<>>(columns);
  EXPECT_TRUE(whole.is_fully_replicated());
  EXPECT_EQ(whole.block_until_ready().to_host(), counted(32));
  EXPECT_TRUE((ts::device_put<ts::P<dp, mp>>(x).stored().memory.shares_with(x.stored().memory)));
}

TEST(tutorial_arrays, host_memory) {
  auto const x = matrix_8x4();
  auto const parked = ts::device_put(x, ts::on_host{});
  EXPECT_EQ(printed(ts::typeof_(parked)), "float32<host>[8@dp,4@mp]");
  EXPECT_EQ(parked.sharding().memory(), ts::memory_kind::host);
  EXPECT_NE(printed(parked.sharding()).find("memory_kind=pinned_host"), std::string::npos);
  EXPECT_EQ(parked.to_host(), counted(32));
  EXPECT_EQ(parked.addressable_shards()[7].to_host(), (std::vector<float>{26, 27, 30, 31}));
  auto const turned = ts::device_put<ts::P<mp, dp>>(parked);
  EXPECT_EQ(printed(ts::typeof_(turned)), "float32<host>[8@mp,4@dp]");
  EXPECT_EQ(turned.to_host(), counted(32));
  auto const back = ts::device_put(turned, ts::on_device{});
  EXPECT_EQ(printed(ts::typeof_(back)), "float32[8@mp,4@dp]");
  EXPECT_EQ((back + 1).at(0, 0).get().item(), 1);
  auto const values = counted(8);
  auto const direct = ts::device_put<ts::P<dp>>(ts::host<8>(values), x.mesh(), ts::on_host{});
  EXPECT_EQ(printed(ts::typeof_(direct)), "float32<host>[8@dp]");
  EXPECT_EQ(direct.to_host(), values);
}

TEST(tutorial_arrays, pictures) {
  auto const x = matrix_8x4();
  std::ostringstream text;
  ts::visualize_array_sharding(x, text);
  for (int id = 0; id < 8; ++id)
    EXPECT_NE(text.str().find((ts::runs_on_host ? "CPU " : "GPU ") + std::to_string(id)), std::string::npos)
        << text.str();
  std::string const drawing = ts::to_svg(ts::visualize(x));
  EXPECT_EQ(drawing.find("<svg"), 0u);
  EXPECT_NE(drawing.find("dim 0: 8@dp"), std::string::npos);
  testing::internal::CaptureStdout();
  ts::visualize_array_sharding(x);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), text.str());
}

TEST(tutorial_arrays, what_transfers_cost) {
  auto const a = matrix_8x4();
  ts::transfer_log log;
  EXPECT_EQ(printed(log), "nothing moved\n");
  {
    ts::transfer_log inner;
    auto const three = ts::asarray({1.f, 2.f, 3.f});
    EXPECT_EQ(inner.bytes(), 12) << "what is written, not what is reserved";
  }
  auto const same = ts::device_put<ts::P<dp, mp>>(a);
  EXPECT_TRUE(log.transfers().empty());
  {
    ts::transfer_log inner;
    auto const replicated = ts::device_put<ts::P<>>(a);
    ASSERT_EQ(inner.transfers().size(), 1u);
    EXPECT_EQ(inner.transfers()[0].what, "reshard");
    EXPECT_EQ(inner.bytes(), 32 * 4);  // one block for all devices
  }
  EXPECT_TRUE(log.transfers().empty());
  auto const put = ts::device_put<ts::P<ts::none, mp>>(ts::host<8, 4>(counted(32)), a.mesh());
  EXPECT_EQ(ts::device_get(put), counted(32));
  ASSERT_EQ(log.transfers().size(), 2u);
  EXPECT_EQ(log.transfers()[0].what, "device_put");
  EXPECT_EQ(log.transfers()[1].what, "device_get");
  EXPECT_EQ(log.bytes(), 2 * 32 * 4);
  EXPECT_GT(log.seconds(), 0);
  EXPECT_NE(printed(log).find("device_get           128 bytes  0.0"), std::string::npos) << log;
}

}  // namespace
