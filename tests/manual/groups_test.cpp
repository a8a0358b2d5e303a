// SPDX-License-Identifier: Apache-2.0
// Collectives within groups of devices, on several meshes, against devices that are plain vectors; gradients against the
// transposed sums of these.

#include <tessera/engine/exec/move/in_process.hpp>

#include <gtest/gtest.h>

#include "support/each_device.hpp"

namespace ts = tessera;

namespace {

using each_device::blocks;
using each_device::over;
using each_device::positions;

using namespace each_device::meshes;

template <class G>
struct listed;
template <int... P>
struct listed<ts::group<P...>> {
  static positions list() { return {P...}; }
};
template <class... G>
std::vector<positions> lists(ts::axis_index_groups_t<G...>) {
  return {listed<G>::list()...};
}

// The members of the groups as devices of the whole mesh.
template <class M, class Axes, class Groups>
std::vector<positions> members() {
  std::vector<positions> all;
  for (positions const& line : each_device::lines<M>(Axes{}))
    for (positions const& g : lists(Groups{})) {
      positions& made = all.emplace_back();
      for (int p : g) made.push_back(line[p]);
    }
  return all;
}

template <class M, class Axes, class Groups>
struct checked;
template <class M, class... A, class... G>
struct checked<M, over<A...>, ts::axis_index_groups_t<G...>> {
  using groups = ts::axis_index_groups_t<G...>;
  using spec = typename each_device::all_axes<M>::spec;
  static constexpr std::int64_t devices = M::value.devices();

  template <class F, class X>
  static blocks run(F f, X const& x) {
    return each_device::blocks_of(ts::shard_map<ts::out_specs<spec>>(f)(x), devices);
  }
  // f(group, in, out): fills the blocks of a group's members.
  template <class F>
  static blocks want(blocks const& in, F f) {
    blocks out(in.size());
    for (positions const& g : members<M, over<A...>, groups>()) f(g, in, out);
    return out;
  }
  static std::size_t at(int p) { return static_cast<std::size_t>(p); }

  template <class F>
  static blocks combined(blocks const& in, F how) {
    return want(in, [&](positions const& g, blocks const& x, blocks& out) {
      for (int p : g) {
        out[at(p)] = x[at(g[0])];
        for (std::size_t k = 1; k < g.size(); ++k)
          for (std::size_t i = 0; i < out[at(p)].size(); ++i) out[at(p)][i] = how(out[at(p)][i], x[at(g[k])][i]);
      }
    });
  }

  static void reductions() {
    auto const x = each_device::input<M, 2, 3>();
    blocks const in = each_device::blocks_of(x, devices);
    EXPECT_EQ(run([](auto v) { return ts::psum<A...>(v, groups{}); }, x), combined(in, std::plus<>()));
    EXPECT_EQ(run([](auto v) { return ts::pmax<A...>(v, groups{}); }, x),
              combined(in, [](double l, double r) { return std::max(l, r); }));
    EXPECT_EQ(run([](auto v) { return ts::pmin<A...>(v, groups{}); }, x),
              combined(in, [](double l, double r) { return std::min(l, r); }));
    // The gradient of a sum of weights times sums: sums of the weights, within the same groups.
    auto const w = each_device::input<M, 2, 3>(0.5);
    auto const slope = ts::grad([](auto v, auto weights) {
      return ts::sum(ts::shard_map<ts::out_specs<spec>>(
          [](auto block, auto weight) { return weight * ts::psum<A...>(block, groups{}); })(v, weights));
    })(x, w);
    EXPECT_EQ(each_device::blocks_of(slope, devices), combined(each_device::blocks_of(w, devices), std::plus<>()));
  }

  // Groups of n: blocks of n rows by 3.
  template <int N>
  static void rearrangements() {
    auto const x = each_device::input<M, N, 3>();
    blocks const in = each_device::blocks_of(x, devices);
    blocks mean = combined(in, std::plus<>());
    for (auto& device : mean)
      for (auto& v : device) v /= N;
    EXPECT_EQ(run([](auto v) { return ts::pmean<A...>(v, groups{}); }, x), mean);

    blocks const gathered = want(in, [](positions const& g, blocks const& from, blocks& out) {
      for (int p : g)
        for (int q : g) out[at(p)].insert(out[at(p)].end(), from[at(q)].begin(), from[at(q)].end());
    });
    EXPECT_EQ(run([](auto v) { return ts::all_gather<A...>(v, ts::tiled, groups{}); }, x), gathered);
    EXPECT_EQ(run([](auto v) { return ts::reshape<-1, 3>(ts::all_gather<A...>(v, groups{})); }, x), gathered);

    blocks const sums = combined(in, std::plus<>());
    blocks const scattered = want(sums, [](positions const& g, blocks const& from, blocks& out) {
      for (std::size_t k = 0; k < g.size(); ++k)
        out[at(g[k])] = {from[at(g[k])].begin() + static_cast<std::ptrdiff_t>(3 * k),
                         from[at(g[k])].begin() + static_cast<std::ptrdiff_t>(3 * k + 3)};
    });
    EXPECT_EQ(run([](auto v) { return ts::psum_scatter<A...>(v, ts::tiled, groups{}); }, x), scattered);
    EXPECT_EQ(run([](auto v) { return ts::psum_scatter<A...>(v, groups{}); }, x), scattered);

    blocks const exchanged = want(in, [](positions const& g, blocks const& from, blocks& out) {
      for (std::size_t k = 0; k < g.size(); ++k)
        for (int q : g)
          for (std::size_t i = 0; i < 3; ++i) out[at(g[k])].push_back(from[at(q)][3 * k + i]);
    });
    EXPECT_EQ(
        run([](auto v) { return ts::all_to_all<A...>(v, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled, groups{}); },
            x),
        exchanged);
    EXPECT_EQ(run([](auto v) { return ts::pswapaxes<A...>(v, ts::dim<0>, groups{}); }, x), exchanged);

    // Each of the last three times weights: its gradient is its transpose of the weights.
    auto const w = each_device::input<M, N, 3>(0.5);
    blocks const weights = each_device::blocks_of(w, devices);
    auto const slope = ts::grad([](auto v, auto weight) {
      return ts::sum(ts::shard_map<ts::out_specs<spec>>([](auto block, auto by) {
        auto const turned = ts::all_to_all<A...>(block, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled, groups{});
        return by * turned;
      })(v, weight));
    })(x, w);
    EXPECT_EQ(
        each_device::blocks_of(slope, devices),
        run([](auto v) { return ts::all_to_all<A...>(v, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled, groups{}); },
            w));
    auto const there_and_back = ts::grad([](auto v, auto weight) {
      return ts::sum(ts::shard_map<ts::out_specs<spec>>([](auto block, auto by) {
        return by * ts::psum_scatter<A...>(ts::all_gather<A...>(block, ts::tiled, groups{}), ts::tiled, groups{});
      })(v, weight));
    })(x, w);
    // Each device's block is gathered by all members, which sum it up again: n times the weight.
    blocks scaled = weights;
    for (auto& device : scaled)
      for (auto& v : device) v *= N;
    EXPECT_EQ(each_device::blocks_of(there_and_back, devices), scaled);
  }
};

template <int... P>
using g = ts::group<P...>;
template <class... G>
using in = ts::axis_index_groups_t<G...>;

TEST(groups, on_lines_of_devices) {
  checked<one, over<a>, in<g<0>>>::reductions();
  checked<two, over<a>, in<g<1>, g<0>>>::reductions();
  checked<two, over<a>, in<g<1, 0>>>::rearrangements<2>();
  checked<three, over<a>, in<g<2, 0>, g<1>>>::reductions();
  checked<four, over<a>, in<g<0, 1>, g<2, 3>>>::reductions();
  checked<four, over<a>, in<g<0, 2>, g<3, 1>>>::rearrangements<2>();
  checked<eight, over<a>, in<g<0, 1, 5, 7>, g<2, 6, 4, 3>>>::reductions();
}
TEST(groups, of_eight_that_lie_anyhow) {
  checked<eight, over<a>, in<g<0, 1, 5, 7>, g<2, 6, 4, 3>>>::rearrangements<4>();
}
TEST(groups, on_meshes) {
  checked<square, over<a, b>, in<g<0, 3>, g<1, 2>>>::reductions();
  checked<square, over<b, a>, in<g<0, 1>, g<3, 2>>>::rearrangements<2>();
  checked<grid, over<a>, in<g<3, 0>, g<1, 2>>>::reductions();
  checked<grid, over<a, b>, in<g<0, 7, 3>, g<1, 2, 4, 5, 6>>>::reductions();
}

#ifndef TESSERA_BY_DAY
TEST(groups, along_one_axis_of_several) { checked<grid, over<a>, in<g<3, 0>, g<1, 2>>>::rearrangements<2>(); }
TEST(groups, in_a_cube) {
  checked<cube, over<c, a>, in<g<0, 3>, g<2, 1>>>::reductions();
  checked<cube, over<c, a>, in<g<0, 3>, g<2, 1>>>::rearrangements<2>();
}

TEST(groups, types_and_bytes) {
  auto const x = each_device::input<grid, 4, 3, float>();
  auto const sum = ts::shard_map<ts::out_specs<ts::P<ts::axes<a, b>>>>([](auto v) {
    auto const y = ts::psum<a>(v, ts::axis_index_groups<ts::group<0, 1>, ts::group<2, 3>>);
    static_assert(ts::type_text<decltype(y)> == "float32[4,3]{V:(a,b)}");
    auto const z = ts::all_gather<a>(y, ts::dim<1>, ts::tiled, ts::axis_index_groups<ts::group<0, 1>, ts::group<2, 3>>);
    static_assert(ts::type_text<decltype(z)> == "float32[4,6]{V:(a,b)}");
    auto const i = ts::psum<a>(v > 0, ts::axis_index_groups<ts::group<0, 1>, ts::group<2, 3>>);
    static_assert(ts::type_text<decltype(i)> == "int32[4,3]{V:(a,b)}");
    return z;
  });
  constexpr auto const& cost = ts::comm_of<std::remove_const_t<decltype(sum)>, decltype(x)>;
  static_assert(cost.count(ts::collective::all_reduce) == 1);           // the count of signs is not used
  static_assert(cost.bytes(ts::collective::all_reduce) == 2 * 48 / 2);  // n is 2, not 4
  static_assert(cost.bytes(ts::collective::all_gather) == 48);
  static_assert(cost.template bytes_over<b>() == 0);
  auto& counted = ts::local_communicator().counted();
  counted.reset();
  (void)sum(x);
  EXPECT_EQ(counted.bytes(), cost.bytes());
  EXPECT_EQ(counted.calls(), cost.count());
}

// A value that is the same everywhere counts once for each member.
TEST(groups, count_copies) {
  auto const x = ts::device_put<ts::P<>>(ts::host<2>(std::vector<double>{1, 10}), ts::make_mesh<three>(ts::devices()));
  auto const f = ts::shard_map<ts::in_specs<ts::P<>>, ts::out_specs<ts::P<a>>>(
      [](auto v) { return ts::psum<a>(v, ts::axis_index_groups<ts::group<2, 0>, ts::group<1>>); });
  EXPECT_EQ(f(x).to_host(), (std::vector<double>{2, 20, 1, 10, 2, 20}));
  auto const slope = ts::grad([](auto v) {
    return ts::sum(ts::shard_map<ts::in_specs<ts::P<>>, ts::out_specs<ts::P<a>>>(
        [](auto y) { return ts::psum<a>(y, ts::axis_index_groups<ts::group<2, 0>, ts::group<1>>); })(v));
  })(x);
  EXPECT_EQ(slope.to_host(), (std::vector<double>{5, 5}));
}

TEST(groups, with_nothing_checked) {
  auto const x = each_device::input<four, 1, 2>();
  auto const f = ts::shard_map<ts::out_specs<ts::P<a>>, ts::check_vma<false>>(
      [](auto v) { return ts::psum<a>(v, ts::axis_index_groups<ts::group<0, 1>, ts::group<2, 3>>); });
  auto const v = each_device::blocks_of(x, 4);
  auto const got = each_device::blocks_of(f(x), 4);
  EXPECT_EQ(got[2][1], v[2][1] + v[3][1]);
  EXPECT_EQ(got[3][1], v[2][1] + v[3][1]);
}
#endif

}  // namespace
