// SPDX-License-Identifier: Apache-2.0
// A tree in the place of an array where JAX takes one: device_put, device_get, reshard, constraints, stop_gradient,
// checkpoint_name, collectives; and a tree of specs in the place of a spec, in shard_map, too.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using ts::P, ts::none;

TESSERA_TREE(layer, w, b);
using split = layer<P<none, mp>, P<mp>>;

template <class X>
std::vector<double> values(X const& x) {
  auto const all = x.to_host();
  return {all.begin(), all.end()};
}
auto const ones = layer{ts::ones<float, 8, 4>(), ts::arange<float, 4>()};
std::vector<double> const four{0, 1, 2, 3};

TEST(TreesAsOne, ArePutByOneSpecOrATreeOfThem) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const current{mesh};
  auto const p = ts::device_put<split>(ones, mesh);
  static_assert(ts::type_text<decltype(p.w)> == "float32[8,4@mp]" && ts::type_text<decltype(p.b)> == "float32[4@mp]");
  EXPECT_EQ(values(p.b), four);
  auto const rows = ts::device_put<P<dp>>(p, mesh);
  static_assert(ts::type_text<decltype(rows.w)> == "float32[8@dp,4]" &&
                ts::type_text<decltype(rows.b)> == "float32[4@dp]");
  auto const again = ts::device_put(std::tuple{rows, 2.0f}, ts::named_sharding{mesh, P<>{}});
  static_assert(ts::type_text<decltype(std::get<0>(again).b)> == "float32[4]");
  EXPECT_EQ(std::get<1>(again).item(), 2.0f);
  auto const here = ts::reshard<split, grid>(layer{ts::asarray(ones.w), ts::asarray(ones.b)});
  static_assert(std::is_same_v<decltype(here), decltype(p)>);
  auto const third = ts::device_put(ones, ts::devices()[3]);
  EXPECT_EQ(third.w.device().id, 3);
  auto const default_one = ts::device_put(std::tuple{ones});
  EXPECT_EQ(values(std::get<0>(default_one).b), four);
  auto const keys = ts::device_put<P<dp>>(ts::random::split_batch<8>(ts::random::key(1)), mesh);
  static_assert(ts::type_text<decltype(keys.data)> == "uint32[8@dp,2]");
  auto const back = ts::device_get(std::tuple{p, 1.0f + p.b});
  EXPECT_EQ(std::get<0>(back).b[3], 3.0f);
  EXPECT_EQ(std::get<1>(back)[3], 4.0f);
}

TEST(TreesAsOne, AreReshardedAndConstrained) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const p = ts::device_put<split>(ones, mesh);
  auto const eager = ts::reshard<layer<P<dp>, P<>>>(p);
  static_assert(ts::type_text<decltype(eager.w)> == "float32[8@dp,4]" &&
                ts::type_text<decltype(eager.b)> == "float32[4]");
  auto const whole = ts::reshard<P<>>(p);
  static_assert(ts::type_text<decltype(whole.w)> == "float32[8,4]");
  auto const inside = ts::jit([](auto p) {
    auto const rows = ts::device_put<layer<P<dp>, P<>>>(p);
    return std::tuple{rows, ts::device_put<P<>>(rows), ts::with_sharding_constraint<split>(p)};
  })(p);
  static_assert(std::is_same_v<std::tuple_element_t<0, decltype(inside)>, decltype(eager)>);
  static_assert(std::is_same_v<std::tuple_element_t<1, decltype(inside)>, decltype(whole)>);
  EXPECT_EQ(values(std::get<2>(inside).b), four);
  auto const elsewhere = ts::device_put<P<>>(ones, ts::make_mesh<loose>(ts::devices()));
  auto const guided = ts::jit([](auto p) { return ts::with_sharding_constraint<layer<P<dp>, P<mp>>>(p); })(elsewhere);
  EXPECT_EQ(ts::named(P<dp, none>{}), guided.w.sharding().spec());
  EXPECT_EQ(ts::named(P<mp>{}), guided.b.sharding().spec());
}

TEST(TreesAsOne, AreConstantsForGradients) {
  auto const p = ts::device_put(ones);
  auto const slope = ts::jit(ts::grad([](auto p) {
    auto const kept = ts::checkpoint_name<"p">(ts::stop_gradient(p));
    return ts::sum(p.w * kept.b);
  }))(p);
  EXPECT_EQ(values(slope.b), std::vector<double>(4));
  EXPECT_EQ(values(slope.w)[3], 3.0);
}

TEST(TreesAsOne, AreSentAsOne) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp>>(ts::arange<float, 8>(), mesh);
  auto const y = ts::device_put<P<dp>>(ts::ones<int, 4>(), mesh);
  auto const all = ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<>, P<>, P<>, P<dp>, P<dp>>>([](auto both) {
    auto const varying = ts::pvary<mp>(ts::psum<dp>(both));
    auto const last = ts::psum_done(ts::psum_start<dp>(both));
    return std::tuple{ts::psum<dp>(both), ts::pmax<dp>(both), ts::pmean<mp>(std::tuple{varying, last}),
                      ts::ppermute<dp>(both, ts::rotate<1>),
                      ts::psum_scatter<dp>(ts::all_gather<dp>(both, ts::tiled), ts::tiled)};
  })(layer{x, y});
  EXPECT_EQ(values(std::get<0>(all).w), (std::vector<double>{12, 16}));
  EXPECT_EQ(values(std::get<0>(all).b), (std::vector<double>{4}));
  EXPECT_EQ(values(std::get<1>(all).w), (std::vector<double>{6, 7}));
  EXPECT_EQ(values(std::get<0>(std::get<2>(all)).w), (std::vector<double>{12, 16}));
  EXPECT_EQ(values(std::get<3>(all).w), (std::vector<double>{6, 7, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(values(std::get<4>(all).w), (std::vector<double>{0, 4, 8, 12, 16, 20, 24, 28}));
  static_assert(ts::type_text<decltype(std::get<4>(all).b)> == "int32[4@dp]");
}

// The parameters of a step in shard_map, each in its own layout, with the gradient inside.
TEST(TreesAsOne, CrossTheBorderOfShardMapByTheirSpecs) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const step = [](auto p, auto x) {
    auto const loss = [=](auto p) { return ts::pmean<dp>(ts::psum<mp>(ts::sum(ts::matmul(x, p.w) * p.b))); };
    auto const [value, slope] = ts::value_and_grad(loss)(p);
    return std::tuple{ts::tree_map([](auto v, auto g) { return v - g; }, p, slope), value};
  };
  using in = ts::in_specs<split, P<dp>>;
  using out = ts::out_specs<split, P<>>;
  auto const p = ts::device_put<split>(ones, mesh);
  auto const x = ts::device_put<P<dp>>(ts::ones<float, 4, 8>(), mesh);
  auto const [next, value] = ts::jit(ts::shard_map<in, out>(step))(p, x);
  static_assert(std::is_same_v<decltype(next), decltype(p)>);
  EXPECT_EQ(value.item(), 48.0f);
  EXPECT_EQ(values(next.b), (std::vector<double>{-8, -7, -6, -5}));
  auto const [put, same] =
      ts::shard_map<in, out>(step, mesh)(ones, ts::ones<float, 4, 8>());  // constants, put by specs
  EXPECT_EQ(values(put.b), values(next.b));
  auto const alone = ts::shard_map<ts::in_specs<split>, ts::out_specs<split>>([](auto p) { return p; })(p);
  EXPECT_EQ(values(alone.b), four);
  auto const over = ts::device_put<P<>>(ones, ts::make_mesh<loose>(ts::devices()));
  auto const planned = ts::shard_map<ts::in_specs<split>, ts::out_specs<split>>([](auto p) { return p; })(over);
  EXPECT_EQ(values(planned.b), four);
  EXPECT_EQ(ts::named(P<mp>{}), planned.b.sharding().spec());
}

}  // namespace
