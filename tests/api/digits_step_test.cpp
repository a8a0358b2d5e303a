// SPDX-License-Identifier: Apache-2.0
// The training step of examples/digits on several meshes: parameters after 20 steps against a dense double oracle, the
// loss as well, and what the communicator counted against what comm_of promised.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/tessera.hpp>

#include "../../examples/digits/model.hpp"
#include "support/dense_mlp.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace digits;

constexpr std::int64_t rows = 32, hidden = 16;

dense::numbers random_numbers(std::size_t count, double scale, unsigned seed) {
  std::mt19937 engine(seed);
  dense::numbers values(count);
  for (double& v : values) v = static_cast<float>(scale * (static_cast<double>(engine() % 20001) / 10000 - 1));
  return values;
}
std::vector<float> to_float(dense::numbers const& x) { return {x.begin(), x.end()}; }

double furthest(std::vector<float> const& got, dense::numbers const& want) {
  double worst = 0, scale = 0;
  for (double w : want) scale = std::fmax(scale, std::fabs(w));
  for (std::size_t i = 0; i < want.size(); ++i) worst = std::fmax(worst, std::fabs(got[i] - want[i]) / scale);
  return worst;
}

template <std::int64_t Dp, std::int64_t Mp>
void trains_like_the_oracle() {
  using grid = ts::mesh<ts::explicit_axis<dp, Dp>, ts::explicit_axis<mp, Mp>>;
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  dense::mlp p{64,
               hidden,
               10,
               random_numbers(64 * hidden, 0.2, 1),
               random_numbers(hidden, 0.1, 2),
               random_numbers(hidden * 10, 0.3, 3),
               random_numbers(10, 0.1, 4)};
  auto const x = random_numbers(rows * 64, 1, 5);
  std::vector<int> label(rows);
  dense::numbers mask(rows, 1);
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<int>((i * 7 + 3) % 10);
  mask[30] = mask[31] = 0;

  auto const tree = [&](dense::mlp const& q) {
    auto w1 = ts::device_put<ts::P<ts::none, mp>>(ts::host<64, hidden>(to_float(q.w1)), mesh);
    auto b1 = ts::device_put<ts::P<mp>>(ts::host<hidden>(to_float(q.b1)), mesh);
    auto w2 = ts::device_put<ts::P<mp, ts::none>>(ts::host<hidden, 10>(to_float(q.w2)), mesh);
    auto b2 = ts::device_put<ts::P<ts::none>>(ts::host<10>(to_float(q.b2)), mesh);
    return std::tuple{block<decltype(w1), decltype(b1), decltype(w2), decltype(b2)>{w1, b1, w2, b2}};
  };
  dense::mlp const zero{64,
                        hidden,
                        10,
                        dense::numbers(64 * hidden),
                        dense::numbers(hidden),
                        dense::numbers(hidden * 10),
                        dense::numbers(10)};
  auto parameters = tree(p);
  auto state = ts::jit<first_state>(parameters);
  dense::mlp m = zero, v = zero;
  auto const images = ts::device_put<ts::P<dp, ts::none>>(ts::host<rows, 64>(to_float(x)), mesh);
  auto const labels = ts::device_put<ts::P<dp>>(ts::host<rows>(label), mesh);
  auto const valid = ts::device_put<ts::P<dp>>(ts::host<rows>(to_float(mask)), mesh);

  constexpr auto const& cost = ts::comm_of<train_step, decltype(parameters), decltype(state), decltype(images),
                                           decltype(labels), decltype(valid), float>;
  static_assert(cost.template count<mp>(ts::collective::all_reduce) == (Mp > 1 ? 1 : 0));
  static_assert(cost.template count<dp>(ts::collective::all_reduce) == (Dp > 1 ? 2 : 0));
  static_assert(cost.count() == cost.count(ts::collective::all_reduce));

  auto& counted = ts::local_communicator().counted();
  for (int step = 1; step <= 20; ++step) {
    auto const want = dense::forward_backward(p, x, label, mask);
    dense::adam(p.w1, want.gradient.w1, m.w1, v.w1, 1e-2, step);
    dense::adam(p.b1, want.gradient.b1, m.b1, v.b1, 1e-2, step);
    dense::adam(p.w2, want.gradient.w2, m.w2, v.w2, 1e-2, step);
    dense::adam(p.b2, want.gradient.b2, m.b2, v.b2, 1e-2, step);
    counted.reset();
    auto const [updated, next, loss] = ts::jit<train_step>(parameters, state, images, labels, valid, 1e-2f);
    EXPECT_EQ(counted.calls(), cost.count());
    EXPECT_EQ(counted.bytes(), cost.bytes());
    EXPECT_EQ(counted.bytes_over(0), cost.template bytes_over<dp>());
    EXPECT_EQ(counted.bytes_over(1), cost.template bytes_over<mp>());
    parameters = updated;
    state = next;
    EXPECT_NEAR(loss.item(), want.loss, 1e-5 * std::fabs(want.loss)) << "step " << step;
  }
  auto const& got = std::get<0>(parameters);
  EXPECT_LE(furthest(got.w1.to_host(), p.w1), 1e-5);
  EXPECT_LE(furthest(got.b1.to_host(), p.b1), 1e-5);
  EXPECT_LE(furthest(got.w2.to_host(), p.w2), 1e-5);
  EXPECT_LE(furthest(got.b2.to_host(), p.b2), 1e-5);
}

TEST(digits_step, on_1x1) { trains_like_the_oracle<1, 1>(); }
TEST(digits_step, on_4x2) { trains_like_the_oracle<4, 2>(); }

#ifndef TESSERA_BY_DAY
TEST(digits_step, on_2x4) { trains_like_the_oracle<2, 4>(); }
TEST(digits_step, on_8x1) { trains_like_the_oracle<8, 1>(); }
TEST(digits_step, on_1x8) { trains_like_the_oracle<1, 8>(); }
#endif

}  // namespace
