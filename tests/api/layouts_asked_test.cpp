// SPDX-License-Identifier: Apache-2.0
// Layouts that are asked for: of arrays, constants, host data, keys and nothing, at once, in jit, shard_map and vmap, over Auto, Explicit and
// mixed meshes. What comes is what was asked, and where JAX has the form, what comes there (layouts.txt). The rules of
// docs/placement.md, one by one.

#include "support/recorded_layouts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;
using recorded_layouts::layout;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using strict = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using mixed = ts::mesh<ts::explicit_axis<dp, 4>, ts::auto_axis<mp, 2>>;

constexpr auto twice = [](auto x) { return x * 2; };
constexpr auto normal = [](auto key) { return ts::random::normal<float, 8, 4>(key); };
constexpr auto made = [] { return ts::zeros<float, 8, 4>(); };
constexpr auto beside = [](auto x) { return std::make_tuple(x, ts::zeros<float, 8, 4>()); };

template <class S, class M>
struct question {
  std::map<std::string, std::string> const& answers;
  std::string mesh_name, asked;
  std::vector<float> numbers = std::vector<float>(32, 1.5f);
  ts::device_mesh<M> mesh = ts::make_mesh<M>(ts::devices());

  template <class X>
  void came(std::string const& form, X const& x, double each, bool as_jax = true) const {
    EXPECT_EQ(layout(x), asked) << mesh_name << ", " << form;
    EXPECT_TRUE(x.mesh() == mesh);
    if (each >= 0) {
      EXPECT_EQ(x.to_host()[31], each) << mesh_name << ", " << form;
    }
    auto const line = answers.find("asked " + mesh_name + " " + asked + ", " + form);
    ASSERT_NE(line, answers.end()) << form;
    if (as_jax) {
      EXPECT_EQ(std::string(ts::typeof_(x).text()) + " " + layout(x), line->second) << form;
    }
  }
  void ask() const {
    ts::use_mesh const current{mesh};
    using out = ts::out_shardings<S>;
    auto const h = ts::host<8, 4>(numbers);
    auto const x = ts::device_put<P<mp>>(h, mesh);
    came("eager array", ts::device_put<S>(x), 1.5);
    came("eager constant", ts::device_put<S>(ts::zeros<float, 8, 4>(), mesh), 0);
    came("eager host", ts::device_put<S>(h, mesh), 1.5);
    constexpr auto program = ts::jit<out, M>(twice);
    came("jit array", ts::jit<out>(twice)(x), 3);
    came("jit constant", program(ts::ones<float, 8, 4>()), 2);
    came("jit host", program(h), 3);
    came("jit key", ts::jit<out, M>(normal)(ts::random::key(0)), -1);
    came("jit nothing", ts::jit<out, M>(made)(), 0);
    came("jit nothing", ts::jit<out>(made, mesh)(), 0);
    came("jit beside", std::get<1>(ts::jit<out>(beside)(x)), 0);
    // Over Auto axes JAX does nothing.
    came("device_put in jit array", ts::jit([](auto y) { return ts::device_put<S>(y); })(x), 1.5,
         std::is_same_v<M, strict>);
    constexpr auto region = ts::shard_map<ts::in_specs<S>, ts::out_specs<S>, M>(twice);
    came("shard_map array", region(ts::device_put<S>(h, mesh)), 3);
    // Over Explicit axes JAX refuses what is not there yet.
    came("shard_map host", region(h), 3, !std::is_same_v<M, strict>);
    came("shard_map constant", ts::asarray(region(ts::ones<float, 8, 4>())), 2, !std::is_same_v<M, strict>);
    came("vmap array", ts::jit<out>(ts::vmap(twice))(x), 3);
    came("vmap host", ts::jit<out, M>(ts::vmap(twice))(h), 3);
  }
};

class layouts_asked : public testing::Test {
protected:
  std::map<std::string, std::string> const answers_ = recorded_layouts::answers();
};
TEST_F(layouts_asked, over_auto_axes) {
  question<P<dp>, loose>{answers_, "auto", "dp"}.ask();
  question<P<mp, dp>, loose>{answers_, "auto", "mp dp"}.ask();
}
TEST_F(layouts_asked, over_explicit_axes) {
  question<P<dp>, strict>{answers_, "explicit", "dp"}.ask();
  question<P<mp, dp>, strict>{answers_, "explicit", "mp dp"}.ask();
}
TEST_F(layouts_asked, over_both_kinds) {
  question<P<dp>, mixed>{answers_, "mixed", "dp"}.ask();
  question<P<mp, dp>, mixed>{answers_, "mixed", "mp dp"}.ask();
}

TEST_F(layouts_asked, of_what_is_elsewhere) {
  std::vector<float> const numbers(32, 1.5f);
  auto const mesh = ts::make_mesh<loose>(ts::devices());
  auto const typed = ts::make_mesh<strict>(ts::devices());
  auto const x = ts::device_put<P<mp>>(ts::host<8, 4>(numbers), mesh);
  auto const y = ts::device_put<P<dp>>(ts::host<8, 4>(numbers), typed);
  constexpr auto twice_in_blocks = ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>(twice);
  EXPECT_EQ(layout(twice_in_blocks(x)), "dp");
  EXPECT_EQ(ts::typeof_(ts::jit<ts::in_shardings<P<none, mp>>>(twice)(y)).text(), "float32[8,4@mp]");
  EXPECT_EQ(layout(ts::device_put<P<mp>>(y, mesh)), "mp");  // from Explicit axes to Auto ones
  // A tree, its number among them, a constant without a mesh beside it.
  auto const f = [](auto v) { return std::make_tuple(v, std::make_tuple(ts::ones<float, 8>(), 0.5f), ts::sum(v)); };
  auto const [a, b, c] = ts::jit<ts::out_shardings<P<mp>>>(f)(y);
  EXPECT_EQ(layout(a) + ", " + layout(std::get<0>(b)) + ", " + layout(c), "mp, mp, whole");
  EXPECT_TRUE(std::get<1>(b).mesh() == typed);
}
// Of several settings the order does not matter.
TEST_F(layouts_asked, with_settings_in_any_order) {
  std::vector<float> const numbers(32, 1.5f);
  ts::use_mesh const current{ts::make_mesh<loose>(ts::devices())};
  constexpr auto f = ts::jit<ts::out_shardings<P<none, mp>>, loose, ts::in_shardings<P<dp>>>(twice);
  auto const y = f(ts::host<8, 4>(numbers));
  EXPECT_EQ(layout(y), "- mp");
  EXPECT_EQ(y.to_host()[31], 3);
}

#ifndef TESSERA_BY_DAY
TEST(constraints, come_after_explicit_axes) {
  std::vector<float> const numbers(32);
  auto const x = ts::device_put<P<dp>>(ts::host<8, 4>(numbers), ts::make_mesh<mixed>(ts::devices()));
  auto const y = ts::jit([](auto v) { return ts::with_sharding_constraint<P<mp>>(v); })(x);
  EXPECT_EQ(ts::typeof_(y).text(), "float32[8@dp,4]");
  EXPECT_EQ(layout(y), "dp+mp");
  EXPECT_EQ(layout(ts::jit([](auto v) { return ts::with_sharding_constraint<P<none, mp>>(v); })(x)), "dp mp");
}

TEST(constraints, of_keys_without_a_mesh) {
  auto const mesh = ts::make_mesh<loose>(ts::devices());
  ts::use_mesh const here{mesh};
  auto const keys = ts::jit([](auto key) {
    return ts::with_sharding_constraint<P<dp>, loose>(ts::random::split_batch<8>(key).data);
  })(ts::random::key(3));
  EXPECT_EQ(layout(keys), "dp");
  EXPECT_EQ(keys.to_host(), ts::asarray(ts::random::split_batch<8>(ts::random::key(3)).data).to_host());
}

// The whole would be 2 MB on every device.
constexpr auto drawn = [](auto key) { return ts::random::normal<float, 1024, 512>(key); };
constexpr auto filled = [] { return ts::full<1024, 512>(2.5f); };
template <class F, class M, class... X>
constexpr auto bytes_for = ts::memory_of<decltype(ts::jit<ts::out_shardings<P<dp, mp>>, M>(F{})), X...>.peak;
TEST(blocks, are_computed_where_they_lie) {
  using key = decltype(ts::random::key(0));
  constexpr std::int64_t block = 1024 * 512 * 4 / 8;
  static_assert(bytes_for<decltype(drawn), loose, key> < 2 * block + 64);
  static_assert(bytes_for<decltype(drawn), strict, key> < 2 * block + 64);
  static_assert(bytes_for<decltype(drawn), mixed, key> < 2 * block + 64);
  static_assert(bytes_for<decltype(filled), loose> < 2 * block);
  static_assert(bytes_for<decltype(filled), strict> < 2 * block);
}

TEST(constants, of_a_program_on_a_mesh_are_on_it) {
  std::vector<float> const numbers(32);
  auto const mesh = ts::make_mesh<loose>(ts::devices());
  auto const x = ts::device_put<P<dp>>(ts::host<8, 4>(numbers), mesh);
  auto const [y, zeros, half] = ts::jit([](auto v) { return std::make_tuple(v, ts::zeros<float, 8, 4>(), 0.5f); })(x);
  EXPECT_EQ(layout(y), "dp");
  EXPECT_EQ(layout(zeros), "whole");
  EXPECT_TRUE(zeros.mesh() == mesh && half.mesh() == mesh);
  EXPECT_TRUE(zeros.is_fully_replicated());
  EXPECT_EQ(half.item(), 0.5f);
}

TEST(without_mesh, stays_so_and_joins) {
  std::vector<float> const numbers(32, 2);
  auto const x = ts::device_put<P<dp>>(ts::host<8, 4>(numbers), ts::make_mesh<strict>(ts::devices()));
  auto const alone = ts::device_put(ts::host<8, 4>(numbers));
  EXPECT_EQ(ts::typeof_(x + alone).text(), "float32[8@dp,4]");
  EXPECT_EQ(ts::typeof_(x + ts::host<8, 4>(numbers)).text(), "float32[8@dp,4]");
  auto const [next, y] = ts::jit([](auto k, auto v) { return std::make_tuple(k + 1, v * 2); })(alone, x);
  static_assert(std::is_same_v<decltype(next), decltype(alone)>);
  EXPECT_EQ(next.to_host()[0], 3);
  EXPECT_EQ(y.to_host()[0], 4);
}

TEST(committed, where_it_was_put) {
  std::vector<float> const numbers(32, 2);
  auto const h = ts::host<8, 4>(numbers);
  auto const mesh = ts::make_mesh<strict>(ts::devices());
  auto const first = ts::device_put(h, ts::devices()[1]), second = ts::device_put(h, ts::devices()[2]);
  auto const anywhere = ts::device_put(h);
  auto const listed = ts::asarray({1.f, 2.f, 3.f, 4.f});
  auto const x = ts::device_put<P<dp>>(h, mesh);
  EXPECT_TRUE(first.committed() && x.committed());
  EXPECT_FALSE(anywhere.committed() || listed.committed() || ts::asarray(ts::ones<float, 3>()).committed());
  EXPECT_FALSE((anywhere + listed).committed());

  // What is not committed goes where the other is, on both sides; a result is committed where one of them is.
  for (auto const &sum :
       {first + anywhere, anywhere + first, ts::jit([](auto a, auto b) { return a + b; })(anywhere, first)}) {
    EXPECT_EQ(sum.device().id, 1);
    EXPECT_TRUE(sum.committed());
  }
  EXPECT_EQ((first + listed).device().id, 1);
  EXPECT_TRUE((x + anywhere).mesh() == mesh && (anywhere + x).mesh() == mesh);

  EXPECT_THROW((void)(first + second), std::invalid_argument);
  EXPECT_THROW((void)(x + first), std::invalid_argument);
  EXPECT_THROW((void)(first + x), std::invalid_argument);
  auto const other = ts::make_mesh<strict>(ts::devices(), ts::device_order{{7, 6, 5, 4, 3, 2, 1, 0}});
  EXPECT_THROW((void)(x + ts::device_put<P<dp>>(h, other)), std::invalid_argument);
  EXPECT_THROW((void)(ts::jit<ts::out_shardings<P<dp>>>(twice, mesh)(first)), std::invalid_argument);
}

TEST(abstract_mesh, of_a_value_where_it_is_asked) {
  std::vector<float> const numbers(32);
  auto const x = ts::device_put<P<dp>>(ts::host<8, 4>(numbers), ts::make_mesh<strict>(ts::devices()));
  EXPECT_TRUE(ts::get_abstract_mesh(x) == ts::abstract_mesh<strict>);
  (void)ts::jit([](auto v) {
    static_assert(ts::get_abstract_mesh(decltype(v){}) == ts::abstract_mesh<strict>);
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>([](auto b) {
      static_assert(ts::get_abstract_mesh(decltype(b){}).of_kind(ts::axis_kind::manual).size() == 2);
      return b;
    })(v);
  })(x);
}
#endif

}  // namespace
