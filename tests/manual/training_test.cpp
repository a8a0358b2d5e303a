// SPDX-License-Identifier: Apache-2.0
// FSDP and a Megatron MLP, each as a shard_map program and as an Explicit jit program: equal results on real digits'
// shapes, and the communication of both known while compiling.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

constexpr std::int64_t batch = 32, pixels = 64, hidden = 48, digits = 16;

template <class M, class S, std::int64_t... E>
auto put(double scale) {
  std::vector<double> v(static_cast<std::size_t>((E * ...)));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * std::sin(1.7 * static_cast<double>(i) + scale);
  return ts::device_put<S>(ts::host<E...>(v), ts::make_mesh<M>(ts::devices()));
}
template <class L, class R>
void near(L const& got, R const& want) {
  auto const l = got.to_host();
  auto const r = want.to_host();
  ASSERT_EQ(l.size(), r.size());
  for (std::size_t i = 0; i < l.size(); ++i) ASSERT_NEAR(l[i], r[i], 1e-12) << i;
}

// Parameters are split by rows over all devices; each gathers a layer when it needs it, and its transpose scatters the
// gradient's sum back: no device ever holds the gradient of a whole layer from others.
struct fsdp_by_devices {
  constexpr auto operator()(auto w1, auto w2, auto x, auto y) const {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp>, ts::P<dp>, ts::P<dp>>,
                         ts::out_specs<ts::P<dp>, ts::P<dp>, ts::P<>>>(
        [](auto own1, auto own2, auto rows, auto targets) {
          auto const loss = [](auto part1, auto part2, auto in, auto out) {
            auto const layer1 = ts::all_gather<dp>(part1, ts::tiled);
            auto const layer2 = ts::all_gather<dp>(part2, ts::tiled);
            auto const wrong = ts::matmul(ts::tanh(ts::matmul(in, layer1)), layer2) - out;
            return ts::sum(wrong * wrong);
          };
          auto const [value, slopes] = ts::value_and_grad<0, 1>(loss)(own1, own2, rows, targets);
          return std::make_tuple(own1 - 0.01f * std::get<0>(slopes), own2 - 0.01f * std::get<1>(slopes),
                                 ts::psum<dp>(value));
        })(w1, w2, x, y);
  }
};
struct fsdp_by_types {
  constexpr auto operator()(auto w1, auto w2, auto x, auto y) const {
    auto const loss = [](auto part1, auto part2, auto in, auto out) {
      auto const wrong =
          ts::matmul(ts::tanh(ts::matmul(in, ts::reshard<ts::P<>>(part1))), ts::reshard<ts::P<>>(part2)) - out;
      return ts::sum(wrong * wrong);
    };
    auto const [value, slopes] = ts::value_and_grad<0, 1>(loss)(w1, w2, x, y);
    return std::make_tuple(w1 - 0.01f * std::get<0>(slopes), w2 - 0.01f * std::get<1>(slopes), value);
  }
};

TEST(training, fsdp) {
  auto w1 = put<line, ts::P<dp>, pixels, hidden>(0.2);
  auto w2 = put<line, ts::P<dp>, hidden, digits>(0.3);
  auto const x = put<line, ts::P<dp>, batch, pixels>(0.9);
  auto const y = put<line, ts::P<dp>, batch, digits>(1.0);
  using W1 = decltype(w1);
  using W2 = decltype(w2);
  constexpr auto const& sent = ts::comm_of<fsdp_by_devices, W1, W2, decltype(x), decltype(y)>;
  static_assert(sent.count(ts::collective::all_gather) == 2);
  static_assert(sent.count(ts::collective::reduce_scatter) == 2);
  static_assert(sent.count(ts::collective::all_reduce) == 1);  // the loss
  constexpr std::int64_t layers = 8 * (pixels * hidden + hidden * digits) * 7 / 8;
  static_assert(sent.template bytes_over<dp>() == 2 * layers + 2 * 7);  // 14 = 2 (n - 1) 8 / n, of one number
  auto v1 = w1;
  auto v2 = w2;
  for (int step = 0; step < 3; ++step) {
    auto [a1, a2, loss] = ts::jit<fsdp_by_devices>(w1, w2, x, y);
    auto [b1, b2, want] = ts::jit<fsdp_by_types>(v1, v2, x, y);
    near(loss, want);
    w1 = a1, w2 = a2, v1 = b1, v2 = b2;
  }
  near(w1, v1);
  near(w2, v2);
}

// The first layer by columns, the second by rows: one sum over mp each way.
struct megatron_by_devices {
  constexpr auto operator()(auto w1, auto w2, auto x) const {
    return ts::shard_map<ts::in_specs<ts::P<ts::none, mp>, ts::P<mp>, ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
        [](auto columns, auto rows, auto in) {
          return ts::psum<mp>(ts::matmul(ts::gelu(ts::matmul(in, columns)), rows));
        })(w1, w2, x);
  }
};
struct megatron_by_types {
  constexpr auto operator()(auto w1, auto w2, auto x) const {
    return ts::matmul(ts::gelu(ts::matmul(x, w1)), w2, ts::out_sharding<ts::P<dp>>);
  }
};
template <class F>
struct slope_of {
  constexpr auto operator()(auto w1, auto w2, auto x) const {
    return ts::grad<0, 1, 2>([](auto p1, auto p2, auto in) {
      auto const out = F{}(p1, p2, in);
      return ts::mean(out * out);
    })(w1, w2, x);
  }
};

TEST(training, a_megatron_mlp) {
  auto const w1 = put<grid, ts::P<ts::none, mp>, pixels, hidden>(0.2);
  auto const w2 = put<grid, ts::P<mp>, hidden, digits>(0.3);
  auto const x = put<grid, ts::P<dp>, batch, pixels>(0.9);
  near(ts::jit<megatron_by_devices>(w1, w2, x), ts::jit<megatron_by_types>(w1, w2, x));
  constexpr auto const& sent = ts::comm_of<megatron_by_devices, decltype(w1), decltype(w2), decltype(x)>;
  static_assert(sent.count(ts::collective::all_reduce) == 1);
  static_assert(sent.template bytes_over<mp>() == batch / 4 * digits * 8);
  static_assert(sent.template bytes_over<dp>() == 0);
  auto const [a1, a2, ax] = ts::jit<slope_of<megatron_by_devices>>(w1, w2, x);
  auto const [b1, b2, bx] = ts::jit<slope_of<megatron_by_types>>(w1, w2, x);
  near(a1, b1);
  near(a2, b2);
  near(ax, bx);
}

}  // namespace
