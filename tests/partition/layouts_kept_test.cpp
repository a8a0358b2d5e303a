// SPDX-License-Identifier: Apache-2.0
// Layouts over Auto axes that nobody asks for: an operation's result lies as in JAX (tests/api/layouts.txt), and what updates an
// argument lies as the argument does, step after step.

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
using grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;

auto on_grid() { return ts::make_mesh<grid>(ts::devices()); }
template <class S, std::int64_t... N>
auto put(float value = 0.01f) {
  std::vector<float> const numbers(static_cast<std::size_t>((N * ...)), value);
  return ts::device_put<S>(ts::host<N...>(numbers), on_grid());
}

class kept : public testing::Test {
protected:
  // Every element differs, so that what is moved to the wrong place is seen.
  kept() {
    std::vector<float> numbers(256);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 37) % 256);
    auto const h = ts::host<16, 16>(numbers);
    both_ = ts::device_put<P<dp, mp>>(h, on_grid());
    rows_ = ts::device_put<P<dp>>(h, on_grid());
    columns_ = ts::device_put<P<none, dp>>(h, on_grid());
    whole_ = ts::device_put<P<>>(h, on_grid());
  }
  template <class F>
  void as_recorded(std::string const& name, F f) {
    auto const program = ts::jit(f);
    auto const x = program(both_), y = program(rows_), z = program(columns_), want = program(whole_);
    EXPECT_EQ(layout(x) + ", " + layout(y) + ", " + layout(z), answers_["kept " + name]) << name;
    auto const values = [](auto const& a) {
      auto const host = a.to_host();
      return std::vector(host.data(), host.data() + a.size());
    };
    EXPECT_TRUE(values(x) == values(want) && values(y) == values(want) && values(z) == values(want)) << name;
    ++asked_;
  }
  std::map<std::string, std::string> answers_ = recorded_layouts::answers();
  using x_type = decltype(put<P<>, 16, 16>());
  x_type both_, rows_, columns_, whole_;
  std::size_t asked_ = 0;
};

TEST_F(kept, as_in_jax) {
  as_recorded("concatenate<0>", [](auto x) { return ts::concatenate<0>(x, x); });
  as_recorded("concatenate<1>", [](auto x) { return ts::concatenate<1>(x, x); });
  as_recorded("concatenate<0> with zeros", [](auto x) { return ts::concatenate<0>(x, ts::zeros<float, 16, 16>()); });
  as_recorded("stack<0>", [](auto x) { return ts::stack<0>(x, x); });
  as_recorded("pad<0>", [](auto x) { return ts::pad(x, 0.0, ts::low<4>, ts::high<4>); });
  as_recorded("tile<2, 1>", [](auto x) { return ts::tile<2, 1>(x); });
  as_recorded("repeat<2, 0>", [](auto x) { return ts::repeat<2, 0>(x); });
  as_recorded("split<2, 0>", [](auto x) { return std::get<0>(ts::split<2, 0>(x)); });
  as_recorded("split<2, 1>", [](auto x) { return std::get<1>(ts::split<2, 1>(x)); });
  as_recorded("roll<1, 0>", [](auto x) { return ts::roll<1, 0>(x); });
  as_recorded("roll<3, 1>", [](auto x) { return ts::roll<3, 1>(x); });
  as_recorded("flip<0>", [](auto x) { return ts::flip<0>(x); });
  as_recorded("flip<1>", [](auto x) { return ts::flip<1>(x); });
  as_recorded("cumsum<0>", [](auto x) { return ts::cumsum<0>(x); });
  as_recorded("cummax<1>", [](auto x) { return ts::cummax<1>(x); });
  as_recorded("sort<0>", [](auto x) { return ts::sort<0>(x); });
  as_recorded("argsort<1>", [](auto x) { return ts::argsort<1>(x); });
  as_recorded("fft<0>", [](auto x) { return ts::fft<0>(x); });
  as_recorded("slice_in_dim<0, 4, 12>", [](auto x) { return ts::slice_in_dim<0, 4, 12>(x); });
  as_recorded("slice_in_dim<1, 8, 16>", [](auto x) { return ts::slice_in_dim<1, 8, 16>(x); });
  as_recorded("dynamic_slice<8, 16>", [](auto x) { return ts::dynamic_slice<8, 16>(x, 1, 0); });
  as_recorded("dynamic_update_slice",
              [](auto x) { return ts::dynamic_update_slice(x, ts::zeros<float, 2, 16>(), 1, 0); });
  as_recorded("at(3).set", [](auto x) { return x.at(3).set(0.f); });
  as_recorded("at(every, 3).set", [](auto x) { return x.at(ts::every, 3).set(0.f); });
  as_recorded("at(3).get", [](auto x) { return x.at(3).get(); });
  as_recorded("take<0>", [](auto x) { return ts::take<0>(x, ts::arange<4>()); });
  as_recorded("softmax<0>", [](auto x) { return ts::softmax<0>(x); });
  as_recorded("transpose", [](auto x) { return x.T(); });
  as_recorded("reshape<4, 4, 16>", [](auto x) { return ts::reshape<4, 4, 16>(x); });
  as_recorded("reshape<256>", [](auto x) { return ts::reshape<256>(x); });
  std::size_t recorded = 0;
  for (auto const& [name, came] : answers_) recorded += name.starts_with("kept ");
  EXPECT_EQ(asked_, recorded);
}

// Not where it would cost: what reads the result needs it whole, and has it so from one gather.
struct joined_and_turned {
  constexpr auto operator()(auto x) const {
    return ts::sum<0>(ts::flip<0>(ts::concatenate<0>(x, x)) * ts::arange<16>());
  }
};

template <class W, class V>
struct state {
  W w;
  V v;
  static constexpr ts::names<2> names{"w", "v"};
};
template <class W, class V>
state(W, V) -> state<W, V>;

struct loss {
  constexpr auto operator()(auto p, auto x) const {
    return ts::mean(ts::square(ts::matmul(ts::maximum(ts::matmul(x, p.w), 0.0f), p.v)));
  }
};
// Batch and widths alike, so that one of the layouts in which a gradient could be made is as cheap as another.
struct step {
  constexpr auto operator()(auto p, auto x) const {
    auto const slope = ts::grad(loss{})(p, x);
    return state{p.w - slope.w * 0.1f, p.v - slope.v * 0.1f};
  }
};
struct momentum {
  constexpr auto operator()(auto p, auto m, auto x) const {
    auto const slope = ts::grad(loss{})(p, x);
    state const next{m.w * 0.9f + slope.w, m.v * 0.9f + slope.v};
    return std::make_tuple(state{p.w - next.w * 0.1f, p.v - next.v * 0.1f}, next);
  }
};
struct turns {
  constexpr auto operator()(auto p, auto x) const {
    return ts::fori_loop(
        0, 3, [&](auto, auto carried) { return step{}(carried, x); }, p);
  }
};
template <std::int64_t Batch, class F, class W, class V>
void expect_kept(F f, W, V) {
  auto const x = put<P<dp>, Batch, 64>();
  state p{put<W, 64, 128>(), put<V, 128, 64>()};
  auto const w = layout(p.w), v = layout(p.v);
  for (int turn = 0; turn < 2; ++turn) {
    p = f(p, x);
    EXPECT_EQ(layout(p.w), w);
    EXPECT_EQ(layout(p.v), v);
  }
}
TEST(updates, lie_as_what_they_update) {
  constexpr auto plain = ts::jit(step{});
  expect_kept<64>(plain, P<dp>{}, P<dp>{});
  expect_kept<8>(plain, P<dp>{}, P<dp>{});
  expect_kept<64>(plain, P<none, dp>{}, P<dp>{});
  expect_kept<64>(plain, P<dp, mp>{}, P<mp, dp>{});
  expect_kept<64>(ts::jit(turns{}), P<dp>{}, P<dp>{});
}
TEST(updates, of_several_states) {
  state p{put<P<dp>, 64, 128>(), put<P<dp>, 128, 64>()}, m{put<P<none, dp>, 64, 128>(), put<P<dp>, 128, 64>()};
  auto const x = put<P<dp>, 64, 64>();
  auto const [next, moments] = ts::jit(momentum{})(p, m, x);
  EXPECT_EQ(layout(next.w), "dp");
  EXPECT_EQ(layout(moments.w), "- dp");
  EXPECT_EQ(layout(moments.v), "dp");
}
// Caches that are written into, in place.
TEST(updates, by_parts) {
  auto const cache = put<P<dp, mp>, 16, 8>();
  auto const row = put<P<>, 1, 8>(2);
  auto const written = ts::jit([](auto c, auto r) { return ts::dynamic_update_slice_in_dim<0>(c, r, 3); })(cache, row);
  EXPECT_EQ(layout(written), "dp mp");
  EXPECT_EQ(written.to_host()[3 * 8], 2);
}
// What an argument does not split is open: x is added to what is split.
TEST(updates, of_whole_arguments_are_open) {
  auto const x = put<P<>, 16, 8>(), y = put<P<dp>, 16, 8>();
  EXPECT_EQ(layout(ts::jit([](auto a, auto b) { return a + ts::tanh(b); })(x, y)), "dp");
}
// A layout that is said goes first.
TEST(updates, unless_said_otherwise) {
  auto const x = put<P<dp>, 16, 8>();
  EXPECT_EQ(layout(ts::jit<ts::out_shardings<P<none, mp>>>([](auto a) { return a * 2; })(x)), "- mp");
  EXPECT_EQ(layout(ts::jit([](auto a) { return ts::with_sharding_constraint<P<mp>>(a) * 2; })(x)), "mp");
}

TEST(moved, is_split_again_only_where_that_costs_nothing) {
  auto const x = put<P<dp>, 8, 16>();
  auto const y = ts::jit(joined_and_turned{})(x);
  EXPECT_NEAR(y.to_host()[3], 16 * 0.01 * 3, 1e-5);
}

}  // namespace
