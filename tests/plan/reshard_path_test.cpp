// SPDX-License-Identifier: Apache-2.0
// Every pair of layouts of rank 1 and 2 on small meshes: the path ends where it should, never costs more than gathering
// everything and slicing, and costs what the textbook says where that is known.

#include <tessera/engine/plan/path/known_paths.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace {

namespace ts = tessera;
using kind = ts::layout_move::kind;

ts::mesh_value mesh_of(std::vector<std::int64_t> const& sizes) {
  ts::mesh_value m;
  m.rank = static_cast<int>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), m.sizes.begin());
  return m;
}
ts::array_value floats(std::vector<std::int64_t> const& extents) {
  ts::array_value v;
  for (auto e : extents) v.add_dim(e);
  return v;
}
ts::block_layout layout(std::vector<std::vector<int>> const& entries, ts::axis_set pending = {}) {
  ts::block_layout l;
  l.rank = static_cast<int>(entries.size());
  for (int d = 0; d < l.rank; ++d)
    for (int a : entries[d]) l.entry(d).append(a);
  l.pending = pending;
  return l;
}

// All layouts of this rank whose axes are a subset of the mesh's, in every order.
std::vector<ts::block_layout> all_layouts(int rank, ts::mesh_value const& mesh) {
  std::vector<ts::block_layout> result{ts::block_layout{rank, {}, {}}};
  for (std::size_t i = 0; i < result.size(); ++i)
    for (int a = 0; a < mesh.rank; ++a)
      for (int d = 0; d < rank; ++d) {
        auto next = result[i];
        if (next.used().contains(a)) continue;
        next.entry(d).append(a);
        if (std::find(result.begin(), result.end(), next) == result.end()) result.push_back(next);
      }
  return result;
}

std::int64_t block_bytes(ts::mesh_value const& mesh, ts::array_value const& shape, ts::block_layout const& at) {
  return shape.size() * 4 / mesh.devices(at.used());
}

struct outcome {
  std::int64_t bytes = 0;
  int messages = 0;
};

// Walks a path, checking that each move may be made where it is made.
outcome walk(ts::mesh_value const& mesh, ts::array_value const& shape, ts::block_layout at,
             ts::block_layout const& to) {
  outcome result;
  for (auto const& m : ts::find_path(mesh, shape, at, to)) {
    ts::block_layout next = at;
    auto const n = mesh.devices(m.by.axes());
    auto const block = block_bytes(mesh, shape, at);
    auto const add = [&](ts::collective what, std::int64_t parts) {
      result.bytes += ts::bytes_sent(what, block, parts);
      ++result.messages;
    };
    auto const drop_end = [&](int d) {
      auto const kept = at.entry(d).count() - m.by.count();
      EXPECT_EQ(ts::after(at.entry(d), kept), m.by);
      next.entry(d) = ts::first_of(at.entry(d), kept);
    };
    switch (m.what) {
      case kind::slice:
        EXPECT_TRUE((m.by.axes() & (at.used() | at.pending)).empty());
        next.entry(m.dim) = ts::joined(at.entry(m.dim), m.by);
        break;
      case kind::all_gather:
        drop_end(m.dim);
        add(ts::collective::all_gather, n);
        break;
      case kind::all_to_all:
        drop_end(m.other);
        next.entry(m.dim) = ts::joined(at.entry(m.dim), m.by);
        add(ts::collective::all_to_all, n);
        break;
      case kind::permute:
        next = m.after;
        for (int d = 0; d < at.rank; ++d)
          EXPECT_EQ(mesh.devices(at.entry(d).axes()), mesh.devices(next.entry(d).axes()));
        add(ts::collective::permute, 1);
        break;
      case kind::reduce_scatter:
        EXPECT_TRUE(at.pending.contains(m.by.axes()));
        next.pending = at.pending - m.by.axes();
        next.entry(m.dim) = ts::joined(at.entry(m.dim), m.by);
        add(ts::collective::reduce_scatter, n);
        break;
      case kind::all_reduce:
        EXPECT_TRUE(at.pending.contains(m.axes));
        next.pending = at.pending - m.axes;
        add(ts::collective::all_reduce, mesh.devices(m.axes));
        break;
    }
    for (int d = 0; d < next.rank; ++d) EXPECT_EQ(shape.extent(d) % mesh.devices(next.entry(d).axes()), 0);
    EXPECT_EQ(next, m.after);
    at = next;
  }
  EXPECT_EQ(at, to);
  return result;
}

std::int64_t gather_everything(ts::mesh_value const& mesh, ts::array_value const& shape, ts::block_layout const& from,
                               ts::block_layout const& to) {
  bool only_slices = true;
  for (int d = 0; d < from.rank; ++d) only_slices = only_slices && ts::begins(from.entry(d), to.entry(d));
  if (only_slices) return 0;
  auto const n = mesh.devices(from.used());
  return (n - 1) * block_bytes(mesh, shape, from);
}

TEST(reshard_path, every_pair_lands_and_never_costs_more_than_gathering) {
  int strictly = 0;
  for (auto const& sizes : std::vector<std::vector<std::int64_t>>{{2, 2}, {2, 3}, {4, 2}, {2, 2, 2}, {3, 2, 4}})
    for (int rank = 1; rank <= 2; ++rank) {
      auto const mesh = mesh_of(sizes);
      auto const shape = floats(rank == 1 ? std::vector<std::int64_t>{96} : std::vector<std::int64_t>{48, 24});
      auto const layouts = all_layouts(rank, mesh);
      for (auto const& from : layouts)
        for (auto const& to : layouts) {
          auto const found = walk(mesh, shape, from, to);
          auto const gathered = gather_everything(mesh, shape, from, to);
          EXPECT_LE(found.bytes, gathered);
          strictly += found.bytes < gathered;
          EXPECT_TRUE(found.messages == 0 || !(from == to));
        }
    }
  EXPECT_GT(strictly, 1000);
}

TEST(reshard_path, known_costs) {
  auto const mesh = mesh_of({4, 2});  // axes 0 and 1
  auto const shape = floats({16, 32});
  std::int64_t const all = 16 * 32 * 4;
  auto const bytes = [&](ts::block_layout const& from, ts::block_layout const& to) {
    return walk(mesh, shape, from, to);
  };
  EXPECT_EQ(bytes(layout({{}, {}}), layout({{0}, {1}})).bytes, 0);                // slices
  EXPECT_EQ(bytes(layout({{0}, {}}), layout({{}, {}})).bytes, 3 * all / 4);       // all_gather
  EXPECT_EQ(bytes(layout({{0}, {}}), layout({{}, {0}})).bytes, all / 4 * 3 / 4);  // all_to_all
  EXPECT_EQ(bytes(layout({{0}, {}}), layout({{}, {0}})).messages, 1);
  EXPECT_EQ(bytes(layout({{0, 1}, {}}), layout({{1, 0}, {}})).bytes, all / 8);  // permute: 8 blocks, another order
  EXPECT_EQ(bytes(layout({{0, 1}, {}}), layout({{0}, {}})).bytes, all / 8);     // the minor axis only
  EXPECT_EQ(bytes(layout({{0}, {1}}), layout({{0}, {}})).bytes, all / 8);
  EXPECT_EQ(bytes(layout({{0, 1}, {}}), layout({{}, {0, 1}})).messages, 1);  // both axes at once
  EXPECT_EQ(bytes(layout({{}, {}}, ts::axis_set::of(0)), layout({{}, {}})).bytes, 2 * 3 * all / 4);  // all_reduce
  EXPECT_EQ(bytes(layout({{}, {}}, ts::axis_set::of(0)), layout({{0}, {}})).bytes, 3 * all / 4);     // reduce_scatter
  EXPECT_EQ(bytes(layout({{}, {}}, ts::axis_set::of(0)), layout({{1}, {}})).bytes,
            2 * 3 * all / 2 / 4);  // sliced first
  EXPECT_EQ(bytes(layout({{}, {}}, ts::axis_set::first(2)), layout({{}, {}})).messages, 1);
}

TEST(reshard_path, blocks_change_devices_whole) {
  auto const square = mesh_of({2, 2});
  auto const found = walk(square, floats({8, 8}), layout({{0}, {1}}), layout({{1}, {0}}));
  EXPECT_EQ(found.messages, 1);
  EXPECT_EQ(found.bytes, 8 * 8 * 4 / 4);
  auto const other = walk(square, floats({8, 8}), layout({{0}, {}}), layout({{1}, {}}));
  EXPECT_EQ(other.messages, 1);
  EXPECT_EQ(other.bytes, 8 * 8 * 4 / 2);
}

TEST(reshard_path, a_dimension_that_does_not_divide_is_never_split) {
  auto const mesh = mesh_of({4, 2});
  auto const found = walk(mesh, floats({8, 6}), layout({{0}, {1}}), layout({{1}, {}}));
  EXPECT_GT(found.messages, 0);
}

TEST(reshard_path, partial_sums_that_are_not_sums_are_all_reduced) {
  auto const mesh = mesh_of({4, 2});
  for (auto const& m : ts::find_path(mesh, floats({8}), layout({{}}, ts::axis_set::of(0)), layout({{0}}), false))
    EXPECT_NE(m.what, kind::reduce_scatter);
}

TEST(reshard_path, known_paths_are_those_that_are_found) {
  auto const mesh = mesh_of({4, 2});
  auto const shape = floats({48, 24});
  ts::known_paths known(mesh);
  auto const layouts = all_layouts(2, mesh);
  for (int turn = 0; turn < 2; ++turn)
    for (auto const& from : layouts)
      for (auto const& to : layouts) {
        auto const found = ts::find_path(mesh, shape, from, to);
        auto const& kept = known.find(shape, from, to);
        ASSERT_EQ(kept.size(), found.size());
        for (int m = 0; m < found.size(); ++m) {
          EXPECT_EQ(kept[m].what, found[m].what);
          EXPECT_EQ(kept[m].after, found[m].after);
        }
      }
  EXPECT_EQ(known.size(), layouts.size() * layouts.size());
  known.find(floats({24, 24}), layouts[1], layouts[2]);
  EXPECT_EQ(known.size(), layouts.size() * layouts.size() + 1);
}

// Axis 0, between hosts, is eight times as dear.
TEST(reshard_path, dear_axes_carry_less) {
  auto mesh = mesh_of({2, 2});
  auto const shape = floats({16, 16});
  // The dear one first, while blocks are small.
  auto const first_gathered = [&] {
    return ts::find_path(mesh, shape, layout({{0}, {1}}), layout({{}, {}}))[0].by.axis(0);
  };
  mesh.prices = {16, 8 * 16};
  EXPECT_EQ(first_gathered(), 1);
  mesh.prices = {8 * 16, 16};
  EXPECT_EQ(first_gathered(), 0);
  auto const price = [&](ts::collective kind, ts::axis_set axes) { return ts::bytes_priced(mesh, kind, 1024, axes); };
  EXPECT_EQ(price(ts::collective::all_gather, ts::axis_set::of(1)), 1024);
  EXPECT_EQ(price(ts::collective::all_gather, ts::axis_set::of(0)), 8 * 1024);
  // 2048 from the neighbor in the host, of blocks that came from the other host: 1024.
  EXPECT_EQ(price(ts::collective::all_gather, ts::axis_set::first(2)), 2048 + 8 * 1024);
  EXPECT_EQ(price(ts::collective::reduce_scatter, ts::axis_set::first(2)), 512 + 8 * 256);
  EXPECT_EQ(price(ts::collective::all_reduce, ts::axis_set::first(2)), 2 * (512 + 8 * 256));
  EXPECT_EQ(price(ts::collective::permute, ts::axis_set::of(0)), 8 * 1024);
}

// law: find_path is a constant expression.
constexpr ts::layout_path constant_path = [] {
  ts::mesh_value mesh;
  mesh.rank = 2;
  mesh.sizes = {2, 2};
  ts::array_value shape;
  shape.add_dim(8);
  shape.add_dim(8);
  ts::block_layout from, to;
  from.rank = to.rank = 2;
  from.entry(0) = ts::only(0);
  from.entry(1) = ts::only(1);
  to.entry(0) = ts::only(1);
  to.entry(1) = ts::only(0);
  return ts::find_path(mesh, shape, from, to);
}();
static_assert(constant_path.size() == 1 && constant_path[0].what == kind::permute);

}  // namespace
