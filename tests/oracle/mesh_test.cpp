// SPDX-License-Identifier: Apache-2.0
// The oracle's simulated devices: splitting, assembling, collectives, on meshes of several axes.

#include "support/oracle/oracle.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

using namespace oracle;

namespace {

mesh const grid{{"dp", "mp"}, {2, 3}};

blocks scalars(std::vector<double> const& values) { return {values.begin(), values.end()}; }
// Device d holds {10 d, 10 d + 1, ... }.
blocks numbered(mesh const& m, std::int64_t count) {
  blocks out;
  for (std::int64_t d = 0; d < m.devices(); ++d) out.push_back(arange(count) + static_cast<double>(10 * d));
  return out;
}

TEST(OracleMesh, DevicesAreRowMajor) {
  EXPECT_EQ(grid.devices(), 6);
  EXPECT_EQ(grid.coordinates(4), (ints{1, 1}));
  EXPECT_EQ(grid.device({1, 2}), 5);
  EXPECT_EQ(grid.part({"mp", "dp"}, 4), 3);
  EXPECT_EQ(grid.part({"dp", "mp"}, 4), 4);
  EXPECT_EQ(axis_index(grid, {"mp"}), scalars({0, 1, 2, 0, 1, 2}));
  EXPECT_THROW_TEXT(grid.axis("pp"), "no axis 'pp'");
}

TEST(OracleMesh, SplitGivesEachDeviceItsPart) {
  auto const x = reshape(arange(12), {2, 6});
  auto const both = split(x, grid, {{"dp"}, {"mp"}});
  EXPECT_EQ(both[0], tensor({1, 2}, {0, 1}));
  EXPECT_EQ(both[4], tensor({1, 2}, {8, 9}));
  EXPECT_EQ(split(x, grid, {})[5], x);
  auto const joint = split(x, grid, {{}, {"mp", "dp"}});  // mp is major: device (1, 2) has part 2 * 2 + 1
  EXPECT_EQ(joint[5], tensor({2, 1}, {5, 11}));
  EXPECT_EQ(joint[1], tensor({2, 1}, {2, 8}));
  EXPECT_THROW_TEXT(split(x, grid, {{"mp"}}), "2 does not divide by 3");
  EXPECT_THROW_TEXT(split(x, grid, {{}, {}, {"dp"}}), "more entries");
  EXPECT_THROW_TEXT(split(x, grid, {{"dp"}, {"dp"}}), "axis 'dp' is used twice");
}

// law: assemble(split(x, m, s), m, s) == x
TEST(OracleMesh, AssembleIsTheInverseOfSplit) {
  auto const x = scattered({12, 6});
  for (auto const& s : std::vector<spec>{
           {}, {{"dp"}}, {{"dp"}, {"mp"}}, {{"mp"}, {"dp"}}, {{"dp", "mp"}, {}}, {{"mp", "dp"}}, {{}, {"mp", "dp"}}})
    EXPECT_EQ(assemble(split(x, grid, s), grid, s, x.extents), x);
}

TEST(OracleMesh, AssembleRefusesReplicasThatDiffer) {
  auto parts = split(arange(6), grid, {{"mp"}});
  parts[3].data[1] += 1;
  EXPECT_THROW_TEXT(assemble(parts, grid, {{"mp"}}, {6}), "device 3 differs");
  parts[3] = full({3}, 0);
  EXPECT_THROW_TEXT(assemble(parts, grid, {{"mp"}}, {6}), "device 3 has another extent");
}

TEST(OracleMesh, ShardsRunAloneAndAssembleToTheWhole) {
  auto const a = scattered({4, 6}), b = scattered({6, 9}, -1, 1, 2);
  auto const c = on_each([](tensor const& p, tensor const& q) { return matmul(p, q); }, split(a, grid, {{"dp"}}),
                         split(b, grid, {{}, {"mp"}}));
  EXPECT_TRUE(close(assemble(c, grid, {{"dp"}, {"mp"}}, {4, 9}), matmul(a, b)));
}

TEST(OracleMesh, AllReduce) {
  auto const x = scalars({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(all_reduce(x, grid, {"mp"}), scalars({6, 6, 6, 15, 15, 15}));
  EXPECT_EQ(all_reduce(x, grid, {"dp"}), scalars({5, 7, 9, 5, 7, 9}));
  EXPECT_EQ(all_reduce(x, grid, {"dp", "mp"}), scalars({21, 21, 21, 21, 21, 21}));
  EXPECT_EQ(all_reduce(x, grid, {"mp"}, combine::max), scalars({3, 3, 3, 6, 6, 6}));
  EXPECT_EQ(all_reduce(x, grid, {"dp"}, combine::min), scalars({1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(all_reduce(x, grid, {}), x);
}

TEST(OracleMesh, AllGather) {
  auto const x = numbered(grid, 2);
  EXPECT_EQ(all_gather(x, grid, {"mp"}, 0)[4], tensor({6}, {30, 31, 40, 41, 50, 51}));
  EXPECT_EQ(all_gather(x, grid, {"dp"}, 0, false)[4], tensor({2, 2}, {10, 11, 40, 41}));
  EXPECT_EQ(all_gather(x, grid, {"dp"}, 1, false)[1], tensor({2, 2}, {10, 40, 11, 41}));
  EXPECT_EQ(all_gather(x, grid, {"mp", "dp"}, 0)[0], tensor({12}, {0, 1, 30, 31, 10, 11, 40, 41, 20, 21, 50, 51}));
}

TEST(OracleMesh, ReduceScatter) {
  auto const x = numbered(grid, 3);
  EXPECT_EQ(reduce_scatter(x, grid, {"mp"}, 0)[4], tensor({1}, {30 + 40 + 50 + 3}));
  EXPECT_EQ(reduce_scatter(x, grid, {"mp"}, 0, false)[4], 123);
  // law: all_gather(reduce_scatter(x)) == all_reduce(x)
  EXPECT_EQ(all_gather(reduce_scatter(x, grid, {"mp"}, 0), grid, {"mp"}, 0), all_reduce(x, grid, {"mp"}));
}

TEST(OracleMesh, AllToAllMovesTheSplitToAnotherDim) {
  auto const x = scattered({6, 9});
  auto const rows = split(x, grid, {{"mp"}}), columns = split(x, grid, {{}, {"mp"}});
  EXPECT_EQ(all_to_all(rows, grid, {"mp"}, 1, 0), columns);
  EXPECT_EQ(all_to_all(columns, grid, {"mp"}, 0, 1), rows);
}

TEST(OracleMesh, Ppermute) {
  auto const x = scalars({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(ppermute(x, grid, {"mp"}, {{0, 1}, {1, 2}, {2, 0}}), scalars({3, 1, 2, 6, 4, 5}));
  EXPECT_EQ(ppermute(x, grid, {"mp"}, {{0, 1}}), scalars({0, 1, 0, 0, 4, 0}));
}

TEST(OracleMesh, ShardSlice) {
  auto const x = scattered({6});
  EXPECT_EQ(shard_slice(split(x, grid, {}), grid, {"mp"}, 0), split(x, grid, {{"mp"}}));
}

}  // namespace
