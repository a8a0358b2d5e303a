// SPDX-License-Identifier: Apache-2.0
// Every collective on many meshes and over every set of axes, against devices that are plain vectors.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/exec/device/counters.hpp>
#include <tessera/mesh/coordinates.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace ts = tessera;

namespace {

using block = std::vector<float>;    // one device's row-major block
using devices = std::vector<block>;  // by position in the mesh

std::mt19937 engine{3};

ts::mesh_value mesh_of(std::vector<std::int64_t> const& sizes) {
  static std::string_view const names[]{"a", "b", "c"};
  ts::mesh_value m;
  for (auto s : sizes) {
    m.sizes[m.rank] = s;
    m.kinds[m.rank] = ts::axis_kind::explicit_;
    m.names[m.rank] = names[m.rank];
    ++m.rank;
  }
  return m;
}
ts::array_value shape_of(std::vector<std::int64_t> const& extents, ts::axis_set varying) {
  ts::array_value v;
  for (auto e : extents) v.add_dim(e);
  v.varying = varying;
  return v;
}

// A value in memory: one block for each position over its varying axes.
struct stored {
  ts::array_value facts;
  ts::mesh_value mesh;
  std::vector<float> memory;
  stored(ts::array_value const& f, ts::mesh_value const& m)
      : facts(f), mesh(m), memory(static_cast<std::size_t>(ts::storage_bytes(f, m) / 4), -99.0f) {}
  float* at(std::int64_t device) {
    auto const position = ts::position_of(mesh, ts::coordinates_of(mesh, device), facts.varying);
    return memory.data() + position * ts::block_stride(facts);
  }
  devices all() {
    devices result;
    for (std::int64_t d = 0; d < mesh.devices(); ++d) result.emplace_back(at(d), at(d) + facts.size());
    return result;
  }
};

// The devices that differ from this one over the axes only, in the order the entry says (first axis major).
std::vector<std::int64_t> group_of(ts::mesh_value const& mesh, ts::entry_value axes, std::int64_t device) {
  std::int64_t n = 1;
  for (int k = 0; k < axes.count(); ++k) n *= mesh.size(axes.axis(k));
  std::vector<std::int64_t> group;
  for (std::int64_t i = 0; i < n; ++i) {
    auto at = ts::coordinates_of(mesh, device);
    std::int64_t rest = i;
    for (int k = axes.count() - 1; k >= 0; --k) {
      at[axes.axis(k)] = rest % mesh.size(axes.axis(k));
      rest /= mesh.size(axes.axis(k));
    }
    group.push_back(ts::position_of(mesh, at));
  }
  return group;
}
std::size_t place_in(std::vector<std::int64_t> const& group, std::int64_t device) {
  return static_cast<std::size_t>(std::find(group.begin(), group.end(), device) - group.begin());
}

std::size_t offset_of(std::vector<std::int64_t> const& index, std::vector<std::int64_t> const& extents) {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < index.size(); ++d) at = at * extents[d] + index[d];
  return static_cast<std::size_t>(at);
}
template <class F>
void each_index(std::vector<std::int64_t> const& extents, F const& f) {
  std::vector<std::int64_t> index(extents.size());
  std::int64_t const n = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t rest = i;
    for (std::size_t d = extents.size(); d-- > 0; rest /= extents[d]) index[d] = rest % extents[d];
    f(index);
  }
}

using shape = std::vector<std::int64_t>;

devices oracle_all_reduce(devices const& in, ts::mesh_value const& mesh, ts::entry_value axes, bool maximum) {
  devices out(in.size());
  for (std::size_t d = 0; d < in.size(); ++d) {
    auto const group = group_of(mesh, axes, static_cast<std::int64_t>(d));
    out[d] = in[group[0]];
    for (std::size_t g = 1; g < group.size(); ++g)
      for (std::size_t i = 0; i < out[d].size(); ++i) {
        float const x = in[group[g]][i];
        out[d][i] = maximum ? std::max(out[d][i], x) : out[d][i] + x;
      }
  }
  return out;
}
devices oracle_all_gather(devices const& in, shape const& extents, ts::mesh_value const& mesh, ts::entry_value axes,
                          std::size_t dim) {
  devices out(in.size());
  for (std::size_t d = 0; d < in.size(); ++d) {
    auto const group = group_of(mesh, axes, static_cast<std::int64_t>(d));
    shape grown = extents;
    grown[dim] *= static_cast<std::int64_t>(group.size());
    out[d].resize(in[d].size() * group.size());
    each_index(grown, [&](shape index) {
      auto const to = offset_of(index, grown);
      auto const from = group[index[dim] / extents[dim]];
      index[dim] %= extents[dim];
      out[d][to] = in[from][offset_of(index, extents)];
    });
  }
  return out;
}
// This device's part along `dim`.
block part_of(block const& whole, shape const& extents, std::size_t dim, std::int64_t parts, std::int64_t which) {
  shape small = extents;
  small[dim] /= parts;
  block result(whole.size() / static_cast<std::size_t>(parts));
  each_index(small, [&](shape index) {
    auto const to = offset_of(index, small);
    index[dim] += which * small[dim];
    result[to] = whole[offset_of(index, extents)];
  });
  return result;
}
devices oracle_reduce_scatter(devices const& in, shape const& extents, ts::mesh_value const& mesh, ts::entry_value axes,
                              std::size_t dim) {
  devices out = oracle_all_reduce(in, mesh, axes, false);
  for (std::size_t d = 0; d < in.size(); ++d) {
    auto const group = group_of(mesh, axes, static_cast<std::int64_t>(d));
    out[d] = part_of(out[d], extents, dim, static_cast<std::int64_t>(group.size()),
                     static_cast<std::int64_t>(place_in(group, static_cast<std::int64_t>(d))));
  }
  return out;
}
devices oracle_all_to_all(devices const& in, shape const& extents, ts::mesh_value const& mesh, ts::entry_value axes,
                          std::size_t dim, std::size_t other) {
  devices out(in.size());
  for (std::size_t d = 0; d < in.size(); ++d) {
    auto const group = group_of(mesh, axes, static_cast<std::int64_t>(d));
    auto const n = static_cast<std::int64_t>(group.size());
    auto const own = static_cast<std::int64_t>(place_in(group, static_cast<std::int64_t>(d)));
    shape small = extents;
    small[dim] /= n;
    shape grown = small;
    grown[other] *= n;
    out[d].resize(in[d].size());
    devices parts;
    for (auto from : group) parts.push_back(part_of(in[from], extents, dim, n, own));
    each_index(grown, [&](shape index) {
      auto const to = offset_of(index, grown);
      auto const from = static_cast<std::size_t>(index[other] / small[other]);
      index[other] %= small[other];
      out[d][to] = parts[from][offset_of(index, small)];
    });
  }
  return out;
}
devices oracle_permute(devices const& in, ts::mesh_value const& mesh, ts::entry_value axes,
                       std::vector<std::int64_t> const& source) {
  devices out(in.size());
  for (std::size_t d = 0; d < in.size(); ++d) {
    auto const group = group_of(mesh, axes, static_cast<std::int64_t>(d));
    auto const from = source[place_in(group, static_cast<std::int64_t>(d))];
    out[d] = from < 0 ? block(in[d].size()) : in[group[from]];
  }
  return out;
}

struct fixture {
  ts::mesh_value mesh;
  ts::entry_value axes;  // in some order
  bool share;            // results that are equal over the axes are one block
  stored in;
  fixture(ts::mesh_value const& m, ts::entry_value a, ts::axis_set in_varying, bool s, shape const& extents)
      : mesh(m), axes(a), share(s), in(shape_of(extents, in_varying), m) {
    std::iota(in.memory.begin(), in.memory.end(), 1.0f);
  }
  ts::exchange what(ts::collective kind, ts::array_value const& out) const {
    ts::exchange e;
    e.kind = kind;
    e.mesh = mesh;
    e.axes = axes;
    e.in = in.facts;
    e.out = out;
    e.in_at = ts::own_strides(in.facts, mesh);
    e.out_at = ts::own_strides(out, mesh);
    return e;
  }
  ts::axis_set joined() const { return share ? in.facts.varying - axes.axes() : mesh.axes(); }
  ts::axis_set split() const { return share ? in.facts.varying | axes.axes() : mesh.axes(); }
};

std::byte* bytes(std::vector<float>& memory) { return reinterpret_cast<std::byte*>(memory.data()); }

// f(fixture) on many meshes, every ordered set of one or two axes (all three in one order), shared and not, and with
// inputs that do not vary over some other axis.
template <class F>
void on_all_meshes(shape const& extents, F const& f) {
  for (shape const& sizes :
       {shape{1}, shape{2}, shape{3}, shape{4}, shape{8}, shape{2, 2}, shape{4, 2}, shape{2, 2, 2}}) {
    auto const mesh = mesh_of(sizes);
    std::vector<ts::entry_value> entries;
    for (int a = 0; a < mesh.rank; ++a) {
      entries.push_back(ts::only(a));
      for (int b = 0; b < mesh.rank; ++b)
        if (b != a) {
          auto two = ts::only(a);
          two.append(b);
          entries.push_back(two);
        }
    }
    if (mesh.rank == 3) {
      auto three = ts::only(2);
      three.append(0);
      three.append(1);
      entries.push_back(three);
    }
    for (auto const axes : entries)
      for (auto const varying : {mesh.axes(), axes.axes()})
        for (bool share : {true, false}) {
          SCOPED_TRACE(testing::Message()
                       << "mesh " << testing::PrintToString(sizes) << " axes " << axes.code << " share " << share);
          f(fixture(mesh, axes, share ? varying : mesh.axes(), share, extents));
        }
  }
}

}  // namespace

TEST(in_process, all_reduce) {
  on_all_meshes({3, 5}, [](fixture f) {
    for (bool maximum : {false, true}) {
      auto facts = f.in.facts;
      facts.varying = f.joined();
      stored out(facts, f.mesh);
      auto e = f.what(ts::collective::all_reduce, facts);
      e.combine = maximum ? ts::monoid::max : ts::monoid::sum;
      ts::in_process comm;
      comm.all_reduce(e, bytes(out.memory), bytes(f.in.memory));
      EXPECT_EQ(out.all(), oracle_all_reduce(f.in.all(), f.mesh, f.axes, maximum));
      auto const n = e.parts();
      EXPECT_EQ(comm.counted().bytes(), (2 * (n - 1) * 15 * 4 + n - 1) / n);
    }
  });
}

TEST(in_process, all_gather) {
  for (std::size_t dim : {0u, 1u, 2u})
    on_all_meshes({2, 3, 4}, [dim](fixture f) {
      auto facts = f.in.facts;
      facts.varying = f.joined();
      facts.extents[dim] *= f.mesh.devices(f.axes.axes());
      stored out(facts, f.mesh);
      auto e = f.what(ts::collective::all_gather, facts);
      e.dim = static_cast<int>(dim);
      ts::in_process comm;
      comm.all_gather(e, bytes(out.memory), bytes(f.in.memory));
      EXPECT_EQ(out.all(), oracle_all_gather(f.in.all(), {2, 3, 4}, f.mesh, f.axes, dim));
      EXPECT_EQ(comm.counted().bytes(), (e.parts() - 1) * 24 * 4);
    });
}

TEST(in_process, reduce_scatter) {
  for (std::size_t dim : {0u, 1u})
    on_all_meshes({24, 24}, [dim](fixture f) {
      auto facts = f.in.facts;
      facts.varying = f.split();
      facts.extents[dim] /= f.mesh.devices(f.axes.axes());
      stored out(facts, f.mesh);
      auto e = f.what(ts::collective::reduce_scatter, facts);
      e.combine = ts::monoid::sum;
      e.dim = static_cast<int>(dim);
      ts::in_process comm;
      comm.reduce_scatter(e, bytes(out.memory), bytes(f.in.memory));
      EXPECT_EQ(out.all(), oracle_reduce_scatter(f.in.all(), {24, 24}, f.mesh, f.axes, dim));
      EXPECT_EQ(comm.counted().bytes(), (e.parts() - 1) * 24 * 24 / e.parts() * 4);
    });
}

TEST(in_process, all_to_all) {
  for (std::size_t dim : {0u, 1u})
    for (std::size_t other : {0u, 1u})
      on_all_meshes({24, 24}, [dim, other](fixture f) {
        auto facts = f.in.facts;
        facts.varying = f.split();
        auto const n = f.mesh.devices(f.axes.axes());
        facts.extents[dim] /= n;
        facts.extents[other] *= n;
        stored out(facts, f.mesh);
        auto e = f.what(ts::collective::all_to_all, facts);
        e.dim = static_cast<int>(dim);
        e.other_dim = static_cast<int>(other);
        ts::in_process comm;
        comm.all_to_all(e, bytes(out.memory), bytes(f.in.memory));
        EXPECT_EQ(out.all(), oracle_all_to_all(f.in.all(), {24, 24}, f.mesh, f.axes, dim, other));
        EXPECT_EQ(comm.counted().bytes(), (n - 1) * 24 * 24 / n * 4);
      });
}

TEST(in_process, permute) {
  on_all_meshes({3, 5}, [](fixture f) {
    auto facts = f.in.facts;
    facts.varying = f.split();
    stored out(facts, f.mesh);
    auto e = f.what(ts::collective::permute, facts);
    e.source.resize(static_cast<std::size_t>(e.parts()));
    std::iota(e.source.begin(), e.source.end(), 0);
    std::shuffle(e.source.begin(), e.source.end(), engine);
    if (e.parts() > 2) e.source[1] = -1;
    ts::in_process comm;
    comm.permute(e, bytes(out.memory), bytes(f.in.memory));
    EXPECT_EQ(out.all(), oracle_permute(f.in.all(), f.mesh, f.axes, e.source));
    EXPECT_EQ(comm.counted().bytes(), 15 * 4);
  });
}

TEST(in_process, axes_change_places) {
  auto const mesh = mesh_of({2, 3, 2});
  ts::axis_set const a = ts::axis_set::of(0), b = ts::axis_set::of(1), c = ts::axis_set::of(2);
  struct exchanged {
    ts::extents_list from, to;
    ts::axis_set in, out;
  };
  for (auto const& x : {exchanged{{0}, {2}, a, c}, exchanged{{0}, {2}, a | b, b | c},
                        exchanged{{0, 2}, {2, 0}, a | c, a | c}, exchanged{{0}, {2}, mesh.axes(), mesh.axes()}}) {
    fixture f(mesh, ts::only(0), x.in, true, {3, 5});
    f.axes.append(2);
    auto facts = f.in.facts;
    facts.varying = x.out;
    stored out(facts, mesh);
    auto e = f.what(ts::collective::permute, facts);
    e.from = x.from;
    e.to = x.to;
    ts::in_process comm;
    comm.permute(e, bytes(out.memory), bytes(f.in.memory));
    auto const before = f.in.all(), after = out.all();
    for (std::int64_t d = 0; d < mesh.devices(); ++d) {
      auto from = ts::coordinates_of(mesh, d);
      auto const own = from;
      // An axis that was split and is not any more: all its devices agree, the first is as good as any.
      for (auto axis : x.from) from[axis] = 0;
      for (int k = 0; k < x.from.size(); ++k) from[x.from[k]] = own[x.to[k]];
      if (x.in == mesh.axes()) from[2] = 0;
      EXPECT_EQ(after[d], before[ts::position_of(mesh, from)]);
    }
  }
}

TEST(in_process, a_collective_is_one_launch_on_any_number_of_devices) {
  for (std::int64_t n : {2, 8, 64}) {
    fixture f(mesh_of({n}), ts::only(0), ts::axis_set::of(0), true, {512, 64});
    auto facts = f.in.facts;
    facts.varying = {};
    stored out(facts, f.mesh);
    auto e = f.what(ts::collective::all_reduce, facts);
    e.combine = ts::monoid::sum;
    ts::in_process comm;
    auto const before = ts::launches_so_far();
    comm.all_reduce(e, bytes(out.memory), bytes(f.in.memory));
    EXPECT_EQ(ts::launches_so_far().launches - before.launches, 1);
    EXPECT_EQ(ts::launches_so_far().inlined, before.inlined);
  }
}

TEST(in_process, counts_by_kind_and_axes) {
  fixture f(mesh_of({4, 2}), ts::only(1), ts::axis_set::first(2), true, {8});
  auto facts = f.in.facts;
  facts.varying = f.joined();
  stored out(facts, f.mesh);
  auto e = f.what(ts::collective::all_reduce, facts);
  e.combine = ts::monoid::sum;
  ts::in_process comm;
  comm.all_reduce(e, bytes(out.memory), bytes(f.in.memory));
  comm.all_reduce(e, bytes(out.memory), bytes(f.in.memory));
  EXPECT_EQ(comm.counted().calls(ts::collective::all_reduce), 2);
  EXPECT_EQ(comm.counted().calls(ts::collective::all_reduce, ts::axis_set::of(1)), 2);
  EXPECT_EQ(comm.counted().bytes_over(0), 0);
  EXPECT_EQ(comm.counted().bytes_over(1), 2 * 2 * 4 * 4);
  comm.counted().reset();
  EXPECT_EQ(comm.counted().calls(), 0);
}
