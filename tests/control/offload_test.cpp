// SPDX-License-Identifier: Apache-2.0
// stand-in
// Host memory in programs: values that device_put moves, weights that a scan reads one by one, results that a checkpoint
// offloads. The same numbers, less memory of a device.

#include "support/on_grid.hpp"

#include <tuple>

namespace {

using namespace on_grid;
using ts::P;
namespace policies = ts::checkpoint_policies;

struct a0 : ts::axis {};
struct a1 : ts::axis {};
using automatic = ts::mesh<ts::auto_axis<a0, 4>, ts::auto_axis<a1, 2>>;

constexpr ts::on_host host{};
constexpr ts::on_device device{};

template <class S, std::int64_t... E>
auto put_on_host(double scale) {
  return ts::device_put(put<S, E...>(scale), host);
}

TEST(offload, values_move_in_programs) {
  auto const x = put<P<dp, mp>, 8, 6>(1.3);
  auto const parked = ts::jit([](auto x) { return ts::device_put(ts::sin(x), host); })(x);
  static_assert(ts::type_text<decltype(parked)> == "float64<host>[8@dp,6@mp]");
  EXPECT_EQ(parked.sharding().memory(), ts::memory_kind::host);
  near(ts::device_put(parked, device), ts::sin(x), 0);
  auto const doubled = ts::jit([](auto h) { return ts::device_put(h, device) * 2.0; });
  near(doubled(parked), ts::sin(x) * 2.0, 0);
  auto const same = ts::jit([](auto h) { return h; })(parked);
  static_assert(std::is_same_v<decltype(same), decltype(parked)>);
  EXPECT_EQ(same.to_host(), parked.to_host());
  // There and back, and a value that is there already.
  near(ts::jit([](auto x) { return ts::device_put(ts::device_put(ts::device_put(x, host), host), device); })(x), x, 0);
  // Rows of a view, which are not one run of memory.
  auto const columns = ts::jit([](auto x) { return ts::device_put(ts::transpose(x), host); })(x);
  near(ts::device_put(columns, device), ts::transpose(x), 0);
}

// An optimizer's state that lies in host memory between the steps, and whose memory the new state takes.
struct momentum {
  constexpr auto operator()(auto w, auto m, auto g) const {
    auto const next = ts::device_put(m, device) * 0.9 + g;
    return std::make_tuple(w - 0.1 * next, ts::device_put(next, host));
  }
};
TEST(offload, state_between_steps) {
  auto const g = put<P<dp>, 8, 6>(0.4);
  auto w = put<P<dp>, 8, 6>(1.3), w_here = w;
  auto m = put_on_host<P<dp>, 8, 6>(0.2);
  auto m_here = ts::device_put(m, device);
  for (int i = 0; i < 3; ++i) {
    std::tie(w, m) = ts::jit<momentum>(w, std::move(m), g);
    m_here = m_here * 0.9 + g;
    w_here = w_here - 0.1 * m_here;
  }
  near(w, w_here);
  near(ts::device_put(m, device), m_here);
  constexpr auto& use = ts::memory_of<momentum, decltype(w), decltype(m), decltype(g)>;
  constexpr int one = 2 * 6 * sizeof(double);
  static_assert(use.arguments == 2 * one && use.results == one && use.on_host == 2 * one);
  static_assert(use.to_host == one && use.to_device == one);
  static_assert(ts::comm_of<momentum, decltype(w), decltype(m), decltype(g)>.count() == 0);
}

constexpr auto layer = [](auto x, auto w) {
  auto const h = ts::checkpoint_name<"h">(ts::tanh(ts::matmul(x, w, ts::out_sharding<P<dp>>)));
  return ts::sin(ts::matmul(h, w, ts::out_sharding<P<dp>>));
};
constexpr auto save_h = policies::save_only_these_names<"h">;
constexpr auto offload_h =
    policies::save_and_offload_only_these_names<policies::names_saved<>, policies::names_offloaded<"h">>;
constexpr auto large = [](ts::saveable const& v) {
  return !v.is_named("h") ? ts::residual::recompute : v.bytes() > 64 ? ts::residual::offload : ts::residual::save;
};

template <auto Policy>
struct once {
  constexpr auto operator()(auto x, auto w) const { return ts::sum(ts::checkpoint(layer, Policy)(x, w)); }
};
template <auto Policy>
struct layers {
  constexpr auto operator()(auto x, auto w) const {
    return ts::sum(ts::fori_loop(
        0, 6, [&](auto, auto c) { return ts::checkpoint(layer, Policy)(c, w); }, x));
  }
};
template <class F>
struct slopes {
  constexpr auto operator()(auto x, auto w) const { return ts::grad<0, 1>(F{})(x, w); }
};

template <class F, class Like>
void same_slopes() {
  auto const x = put<P<dp>, 8, 16>(1.3);
  auto const w = put<P<>, 16, 16>(0.7);
  auto const [gx, gw] = ts::jit<slopes<F>>(x, w);
  auto const [wx, ww] = ts::jit<slopes<Like>>(x, w);
  near(gx, wx, 0);
  near(gw, ww, 0);
}

TEST(offload, residuals_of_a_checkpoint) {
  same_slopes<once<offload_h>, once<save_h>>();
  same_slopes<once<large>, once<save_h>>();
  same_slopes<once<policies::offload_dot_with_no_batch_dims>, once<policies::dots_with_no_batch_dims_saveable>>();
  constexpr auto both = policies::save_from_both_policies(policies::save_only_these_names<"none">, offload_h);
  same_slopes<once<both>, once<save_h>>();
}

using x_type = ts::array_type<double, ts::shape<8, 16>, P<dp>, grid>;
using w_type = ts::array_type<double, ts::shape<16, 16>, P<>, grid>;
template <class F>
constexpr auto const& memory = ts::memory_of<slopes<F>, x_type, w_type>;
constexpr int h_bytes = 2 * 16 * sizeof(double);
static_assert(memory<once<offload_h>>.on_host == h_bytes && memory<once<save_h>>.on_host == 0);
static_assert(memory<once<offload_h>>.to_host == h_bytes && memory<once<offload_h>>.to_device == h_bytes);
static_assert(memory<once<offload_h>>.kept_for_backward == memory<once<save_h>>.kept_for_backward - h_bytes);

TEST(offload, residuals_of_layers) {
  same_slopes<layers<offload_h>, layers<save_h>>();
  constexpr auto const &there = memory<layers<offload_h>>, &here = memory<layers<save_h>>;
  static_assert(there.on_host == 6 * h_bytes && there.to_host == 6 * h_bytes && there.to_device == 6 * h_bytes);
  static_assert(there.kept_for_backward == here.kept_for_backward - 6 * h_bytes &&
                there.peak <= here.peak - 4 * h_bytes);
  static_assert(ts::comm_of<slopes<layers<offload_h>>, x_type, w_type>.bytes() ==
                ts::comm_of<slopes<layers<save_h>>, x_type, w_type>.bytes());
}

// Weights of layers that lie in host memory: one layer's at a time is on a device.
constexpr auto streamed = [](auto x, auto ws) {
  return ts::sum(std::get<0>(
      ts::scan([](auto c, auto w) { return std::make_tuple(layer(c, ts::device_put(w, device)), 0.0); }, x, ws)));
};
TEST(offload, weights_one_by_one) {
  auto const x = put<P<dp>, 8, 16>(1.3);
  auto const ws = put<P<>, 6, 16, 16>(0.7);
  auto const there = ts::device_put(ws, host);
  near(ts::jit(streamed)(x, there), ts::jit(streamed)(x, ws), 0);
  using f = decltype(streamed);
  constexpr int all = 6 * 16 * 16 * sizeof(double);
  constexpr auto const& use = ts::memory_of<f, decltype(x), decltype(there)>;
  static_assert(use.on_host == all && use.to_device == all);
  static_assert(use.peak <= ts::memory_of<f, decltype(x), decltype(ws)>.peak - all + 2 * all / 6);
  // Gradients are in device memory; a tangent is where its value is.
  near(ts::jit(ts::grad<1>(streamed))(x, there), ts::jit(ts::grad<1>(streamed))(x, ws), 0);
  auto const pushed = [](auto x, auto ws) { return ts::jvp(streamed, std::tuple{x, ws}, std::tuple{x, ws}); };
  near(std::get<1>(ts::jit(pushed)(x, there)), std::get<1>(ts::jit(pushed)(x, ws)), 1e-13);
  auto const parked = [](auto x) {
    return ts::jvp([](auto y) { return ts::device_put(ts::sin(y), host); }, std::tuple{x}, std::tuple{x});
  };
  auto const [value, tangent] = ts::jit(parked)(x);
  static_assert(std::is_same_v<decltype(value), decltype(tangent)>);
  near(ts::device_put(tangent, device), ts::cos(x) * x, 1e-15);
}

TEST(offload, branches_and_carried_values) {
  auto const x = put<P<dp>, 8, 6>(1.3);
  auto const chosen = [](auto x) {
    return ts::cond(
        ts::sum(x) > 100.0, [&] { return ts::device_put(x, host); }, [&] { return ts::device_put(x * 2.0, host); });
  };
  near(ts::device_put(ts::jit(chosen)(x), device), x * 2.0, 0);
  auto const turned = [](auto h) {
    return ts::fori_loop(
        0, 5, [](auto, auto c) { return ts::device_put(ts::device_put(c, device) + 1.0, host); }, h);
  };
  near(ts::device_put(ts::jit(turned)(ts::device_put(x, host)), device), x + 5.0, 1e-14);
}

TEST(offload, over_auto_axes) {
  auto const mesh = ts::make_mesh<automatic>(ts::devices());
  auto const x = ts::device_put<P<a0>>(ts::host<8, 16>(wave(128, 1.3)), mesh);
  auto const w = ts::device_put<P<ts::none, a1>>(ts::host<16, 16>(wave(256, 0.7)), mesh);
  auto const there = ts::device_put(w, host);
  auto const f = [](auto x, auto w) { return ts::sum(ts::tanh(ts::dot(x, ts::device_put(w, device)))); };
  auto const g = [](auto x, auto w) { return ts::sum(ts::tanh(ts::dot(x, w))); };
  EXPECT_NEAR(ts::jit(f)(x, there).item(), ts::jit(g)(x, w).item(), 1e-12);
  expect(ts::jit(ts::grad<1>(f))(x, there), [&] {
    auto const want = ts::jit(ts::grad<1>(g))(x, w).to_host();
    return std::vector<double>(want.begin(), want.end());
  }());
}

TEST(offload, trees_and_batches) {
  auto const x = put<P<dp>, 8, 6>(1.3);
  auto const [one, two] = ts::jit([](auto x) { return ts::device_put(std::tuple{x, x + 1.0}, host); })(x);
  near(ts::device_put(one, device), x, 0);
  near(ts::device_put(two, device), x + 1.0, 0);
  auto const rows = ts::jit([](auto x) {
    return ts::vmap([](auto row) { return ts::device_put(ts::device_put(row, host), device) * 2.0; })(x);
  })(x);
  near(rows, x * 2.0, 0);
  auto const parked = ts::jit([](auto h) {
    return ts::vmap([](auto row) { return ts::device_put(ts::device_put(row, device) * 2.0, host); })(h);
  })(ts::device_put(x, host));
  near(ts::device_put(parked, device), x * 2.0, 0);
  auto const blocks = ts::jit([](auto x) {
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>(
        [](auto b) { return ts::device_put(ts::device_put(b, host), device) + 1.0; })(x);
  })(x);
  near(blocks, x + 1.0, 0);
}

}  // namespace
