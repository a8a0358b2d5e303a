// SPDX-License-Identifier: Apache-2.0
// Views of arrays whose blocks are in several processes: each has its own, and kernels run on those.

#include <tessera/kokkos.hpp>

#include "support/on_grid.hpp"

#include <vector>

namespace {

using namespace on_grid;

struct plus_one {
  void operator()(auto const& space, auto x, auto y) const {
    Kokkos::parallel_for(
        "plus one", Kokkos::RangePolicy<std::remove_cvref_t<decltype(space)>>(space, 0, static_cast<int>(x.size())),
        KOKKOS_LAMBDA(int i) { y.data()[i] = x.data()[i] + 1; });
  }
};

TEST(ViewsOfProcesses, AreThoseOfTheirOwnDevices) {
  if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x =
      ts::make_array_from_views<ts::P<dp, mp>, ts::shape<8, 6>, double>(mesh, [](auto view, auto const& index) {
        for (std::size_t i = 0; i < view.extent(0); ++i)
          for (std::size_t j = 0; j < view.extent(1); ++j)
            view(i, j) = static_cast<double>(6 * (index[0].start + static_cast<long>(i)) + index[1].start +
                                             static_cast<long>(j));
      });
  EXPECT_EQ(ts::views(x).size(), ts::local_devices().size());
  for (auto const& shard : ts::views(x)) EXPECT_EQ(shard.where.process_index, ts::process_index());
  auto const y = ts::jit([](auto a) {
    auto const b = ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>(
        [](auto u) { return ts::local_kernel<plus_one>(ts::ppermute<dp>(u, ts::rotate<1>)); })(a);
    return std::tuple{b, ts::sum(b)};
  })(x);
  std::vector<double> want(48);
  for (std::size_t i = 0; i < 48; ++i) want[(i + 12) % 48] = static_cast<double>(i) + 1;
  auto const got = ts::process_allgather(std::get<0>(y));
  for (std::size_t i = 0; i < 48; ++i) EXPECT_EQ(got[i], want[i]) << i;
  EXPECT_EQ(std::get<1>(y).item(), 47.0 * 24 + 48);
}

TEST(ViewsOfProcesses, AreTakenAndCopiedFromTheWhole) {
  if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  Kokkos::View<double**, Kokkos::LayoutRight> const rows("rows", 32, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft> const columns("columns", 32, 4);
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t j = 0; j < 4; ++j) rows(i, j) = columns(i, j) = static_cast<double>(4 * i + j);
  auto const x = ts::adopt<ts::P<dp>>(ts::stepped<32, 4>(rows), mesh, rows);
  auto const y = ts::device_put<ts::P<dp>>(ts::stepped<32, 4>(columns), mesh);
  auto const first = ts::views(x).front(), same = ts::views(y).front();
  EXPECT_EQ(first.view.data(), &rows(static_cast<std::size_t>(first.index[0].start), 0));
  EXPECT_EQ(first.view(1, 2), same.view(1, 2));
  EXPECT_EQ(ts::process_allgather(x), ts::process_allgather(y));
  EXPECT_EQ(ts::sum(x).item(), 127.0 * 64);
}

}  // namespace
