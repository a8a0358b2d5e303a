// SPDX-License-Identifier: Apache-2.0
// Arrays whose blocks are in several processes: made of what each process has, brought together, put elsewhere, shown; and
// meshes that processes cannot share.

#include <tessera/api/processes.hpp>
#include <tessera/array/hybrid_mesh.hpp>

#include "support/on_grid.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;

struct ArraysOfProcesses : testing::Test {
  void SetUp() override {
    if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  }
};

template <class X>
std::vector<double> gathered(X const& x) {
  auto const all = ts::process_allgather(x);
  return {all.begin(), all.end()};
}
template <class Error, class F>
std::string refused(F const& f) {
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing was thrown";
}
void contains(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
ts::device_mesh<grid> spread() { return ts::make_mesh<grid>(ts::devices()); }

TEST_F(ArraysOfProcesses, DevicesAreDivided) {
  auto const each = 8 / static_cast<std::size_t>(ts::process_count());
  ASSERT_EQ(ts::local_devices().size(), each);
  EXPECT_EQ(ts::local_device_count(), static_cast<int>(each));
  for (auto const& d : ts::local_devices()) EXPECT_EQ(d.process_index, ts::process_index());
  EXPECT_EQ(ts::local_devices().front().id, static_cast<int>(each) * ts::process_index());
  EXPECT_EQ(ts::default_device(), ts::local_devices().front());
}

TEST_F(ArraysOfProcesses, OfWhatEachHas) {
  auto const mesh = spread();
  auto const first = static_cast<std::size_t>(mesh.value().first_held(0)),
             rows = static_cast<std::size_t>(mesh.value().held(0));
  std::vector<double> const all = counted(4 * 6);
  std::vector<double> const own(all.begin() + static_cast<std::ptrdiff_t>(first * 6),
                                all.begin() + static_cast<std::ptrdiff_t>((first + rows) * 6));
  auto const x = ts::make_array_from_process_local_data<P<dp>, ts::shape<4, 6>>(ts::host<ts::dynamic, 6>(own), mesh);
  static_assert(ts::type_text<decltype(x)> == "float64[4@dp,6]");
  EXPECT_EQ(gathered(x), all);
  EXPECT_EQ(x.is_fully_addressable(), ts::process_count() == 1);
  contains(refused<std::invalid_argument>([&] {
             (void)ts::make_array_from_process_local_data<P<dp>, ts::shape<8, 6>>(ts::host<1, 6>(counted(6)), mesh);
           }),
           "has a part of (");
  auto const open = ts::make_array_from_process_local_data<P<dp>, ts::shape<ts::dynamic, 6>>(
      ts::host<ts::dynamic, 6>(own), mesh, {4, 6});
  EXPECT_EQ(gathered(open), all);
  contains(refused<std::invalid_argument>([&] {
             (void)ts::make_array_from_process_local_data<P<dp>, ts::shape<ts::dynamic, 6>>(
                 ts::host<ts::dynamic, 6>(own), mesh);
           }),
           "has no shape yet");
}

using uneven_grid = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;
auto const element_of_7x3 = [](ts::region const& at) {
  std::vector<double> values;
  for (auto i = at[0].start; i < at[0].stop; ++i)
    for (auto j = at[1].start; j < at[1].stop; ++j) values.push_back(static_cast<double>(i * 3 + j));
  return values;
};

TEST_F(ArraysOfProcesses, OfWhatAFunctionGives) {
  auto const uneven = ts::make_mesh<uneven_grid>(ts::devices());
  EXPECT_EQ(gathered(ts::make_array_from_callback<P<dp, mp>, ts::shape<7, 3>, double>(uneven, element_of_7x3)),
            counted(21));
  EXPECT_EQ(gathered(ts::make_array_from_callback<P<none, dp>, ts::shape<7, 3>, double>(uneven, element_of_7x3)),
            counted(21));
  EXPECT_EQ(
      gathered(ts::make_array_from_callback<P<ts::axes<mp, dp>>, ts::shape<7, 3>, double>(uneven, element_of_7x3)),
      counted(21));
  int calls = 0;
  auto const whole =
      ts::make_array_from_callback<P<none, mp>, ts::shape<2, 4>, double>(spread(), [&](ts::region const& at) {
        ++calls;
        return std::vector<int>(static_cast<std::size_t>(at[0].size() * at[1].size()), static_cast<int>(at[1].start));
      });
  EXPECT_EQ(calls, spread().value().held(1));
  EXPECT_EQ(gathered(whole), (std::vector<double>{0, 0, 2, 2, 0, 0, 2, 2}));
  contains(refused<std::invalid_argument>([&] {
             (void)ts::make_array_from_callback<P<dp>, ts::shape<4>, double>(
                 spread(), [](ts::region const&) { return std::vector<double>(3); });
           }),
           "has 1 values, and the function gave 3");
}

TEST_F(ArraysOfProcesses, AreGatheredInAnyLayout) {
  auto const all = counted(48);
  EXPECT_EQ(gathered(put<P<dp, mp>, 8, 6>(all)), all);
  EXPECT_EQ(gathered(put<P<mp, dp>, 6, 8>(all)), all);
  EXPECT_EQ(gathered(put<P<none, ts::axes<mp, dp>>, 6, 8>(all)), all);
  EXPECT_EQ(gathered(put<P<>, 6, 8>(all)), all);
  auto const uneven = ts::device_put<P<dp, mp>>(ts::host<7, 3>(counted(21)), ts::make_mesh<uneven_grid>(ts::devices()));
  EXPECT_EQ(gathered(uneven), counted(21));
}

TEST_F(ArraysOfProcesses, AreReadByTheirShards) {
  auto const x = put<P<dp, mp>, 8, 6>(counted(48));
  auto const shards = x.addressable_shards();
  ASSERT_EQ(shards.size(), ts::local_devices().size());
  for (auto const& shard : shards) {
    EXPECT_EQ(shard.where.process_index, ts::process_index());
    auto const values = shard.to_host();
    ASSERT_EQ(values.size(), 6u);
    EXPECT_EQ(values.front(), static_cast<double>(shard.index[0].start * 6 + shard.index[1].start));
    EXPECT_EQ(values.back(), static_cast<double>((shard.index[0].stop - 1) * 6 + shard.index[1].stop - 1));
  }
}

TEST_F(ArraysOfProcesses, WhatIsElsewhereIsNotReadUnasked) {
  auto const x = put<P<dp, mp>, 8, 6>(counted(48));
  auto const whole = put<P<>, 2>(counted(2));
  EXPECT_TRUE(whole.is_fully_addressable());
  EXPECT_EQ(whole.to_host()[1], 1);
  if (ts::process_count() == 1) return;
  EXPECT_FALSE(x.is_fully_addressable());
  auto const said = refused<std::logic_error>([&] { (void)x.to_host(); });
  contains(said, "float64[8@dp,6@mp] has blocks in other processes. Fix: process_allgather(x)");
  std::vector<double> values(48);
  contains(refused<std::logic_error>([&] { x.copy_to(values); }), "process_allgather");
}

TEST_F(ArraysOfProcesses, ArePutOnAnotherMesh) {
  auto const all = counted(64);
  auto const x = put<P<dp, mp>, 8, 8>(all);
  using line = ts::mesh<ts::explicit_axis<dp, 8>>;
  EXPECT_EQ(gathered(ts::device_put<P<none, dp>>(x, ts::make_mesh<line>(ts::devices()))), all);
  auto const columns = ts::make_mesh<grid>(ts::devices(), ts::device_order{{0, 4, 1, 5, 2, 6, 3, 7}});
  auto const moved = ts::device_put<P<mp, dp>>(x, columns);
  EXPECT_EQ(gathered(moved), all);
  EXPECT_EQ(gathered(moved + 1), gathered(ts::device_put<P<mp, dp>>(x + 1, columns)));
  auto const backwards = ts::make_mesh<grid>(ts::devices(), ts::device_order{{7, 6, 5, 4, 3, 2, 1, 0}});
  auto const turned = ts::device_put<P<dp, mp>>(x, backwards);
  EXPECT_EQ(gathered(turned), all);
  EXPECT_EQ(gathered(ts::sum<0>(turned)), gathered(ts::sum<0>(x)));
  EXPECT_EQ(gathered(ts::reshard<P<none, dp>>(turned)), all);
  EXPECT_EQ(gathered(ts::device_put(x, turned.sharding())), all);
  // One device of each process' own.
  auto const own = ts::device_put(x, ts::default_device());
  EXPECT_TRUE(own.is_fully_addressable());
  EXPECT_EQ(own.to_host()[63], 63);
}

TEST_F(ArraysOfProcesses, LocalMeshesAreEachProcessOwn) {
  using two = ts::mesh<ts::explicit_axis<dp, 2>>;
  if (ts::local_device_count() < 2) GTEST_SKIP();
  auto const mesh = ts::make_mesh<two>(ts::local_devices());
  auto const x = ts::device_put<P<dp>>(ts::host<4>(std::vector<double>(4, ts::process_index())), mesh);
  EXPECT_TRUE(x.is_fully_addressable());
  if (ts::process_index() == 0) {
    EXPECT_EQ(ts::sum(x).item(), 0);  // by itself
  }
  EXPECT_EQ(ts::sum(x * x).item(), 4 * ts::process_index() * ts::process_index());
}

TEST_F(ArraysOfProcesses, NumbersAreBroadcast) {
  EXPECT_EQ(ts::broadcast_one_to_all(ts::process_index() + 5), 5);
  auto const values = ts::broadcast_one_to_all(std::vector<float>(3, static_cast<float>(ts::process_index() + 1)));
  EXPECT_EQ(values, std::vector<float>(3, 1.0f));
  EXPECT_TRUE(ts::broadcast_one_to_all(std::vector<int>{}).empty());
  ts::sync_global_devices("the end of this test");
}

TEST_F(ArraysOfProcesses, MeshesGiveEachProcessABox) {
  if (ts::local_device_count() == 8 || ts::local_device_count() == 1) return;  // any order will do
  auto const said = refused<std::invalid_argument>([] {
    (void)ts::make_mesh<grid>(ts::devices(), ts::device_order{{0, 2, 4, 6, 1, 3, 5, 7}});
  });
  contains(said, "does not give each process a box of it, all alike. The processes of its devices:\n  0 ");
  contains(said, "\nFix: an order of the devices");
  if (ts::process_count() == 2) {
    contains(said, "  0 0\n  1 1\n  0 0\n  1 1\n");
  }
}

// Two of the processes, which the others know nothing of: here the first and the last.
TEST_F(ArraysOfProcesses, MeshesMayBeOfSomeProcesses) {
  if (ts::process_count() == 1) return;
  using two = ts::mesh<ts::explicit_axis<dp, 2>>;
  auto const pair = [] { return ts::make_mesh<two>(ts::devices(), ts::device_order{{7, 0}}); };
  if (ts::process_index() != 0 && ts::process_index() != ts::process_count() - 1) {
    contains(refused<std::invalid_argument>(pair), "has no device of process " + std::to_string(ts::process_index()));
  } else {
    auto const x = ts::device_put<P<dp>>(ts::host<4, 6>(counted(24)), pair());
    EXPECT_EQ(gathered(ts::sum<0>(x)), (std::vector<double>{36, 40, 44, 48, 52, 56}));
    EXPECT_EQ(gathered(ts::reshard<P<none, dp>>(x)), counted(24));
    auto const again = ts::device_put<P<none, dp>>(ts::host<4, 6>(counted(24)), pair());
    EXPECT_EQ(gathered(ts::matmul(x, ts::transpose(again), ts::out_sharding<P<dp>>)).size(), 16);
  }
  EXPECT_EQ(gathered(put<P<dp>, 8>(counted(8))), counted(8));
}

TEST_F(ArraysOfProcesses, HybridMeshesGoBetweenProcessesAsTold) {
  auto const processes = ts::process_count();
  auto const columns = ts::extents_list{processes < 4 ? 1 : processes / 2, processes == 1 ? 1 : 2};
  auto const mesh = ts::make_hybrid_mesh<grid>(ts::devices(), columns, ts::granule::process);
  auto const ids = mesh.device_ids();
  std::vector<int> order{0, 1, 2, 3, 4, 5, 6, 7};
  if (processes == 2) order = {0, 4, 1, 5, 2, 6, 3, 7};
  if (processes == 4) order = {0, 2, 1, 3, 4, 6, 5, 7};
  EXPECT_EQ(std::vector<int>(ids.begin(), ids.end()), order);
  auto const x = ts::device_put<P<dp, mp>>(ts::host<8, 6>(wave(48, 0.3)), mesh);
  auto const sums = gathered(ts::sum<0>(x)), wanted = gathered(ts::sum<0>(put<P<dp, mp>, 8, 6>(0.3)));
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(sums[i], wanted[i], 1e-12);
  // All processes of this run are on one host.
  EXPECT_EQ(ts::make_hybrid_mesh<grid>(ts::devices(), {1, 1}).device_ids(),
            ts::make_mesh<grid>(ts::devices()).device_ids());
  contains(refused<std::invalid_argument>([] {
             (void)ts::make_hybrid_mesh<grid>(ts::devices(), {2, 1});
           }),
           "hybrid over hosts, is asked to go along 2 of them, and its devices are of 1. Fix: ");
  contains(refused<std::invalid_argument>([] {
             (void)ts::make_hybrid_mesh<grid>(ts::devices(), {3, 1});
           }),
           "cannot go along 3 of them by its axis dp, which has 4 devices");
}

}  // namespace
