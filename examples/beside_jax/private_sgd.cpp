// SPDX-License-Identifier: Apache-2.0
// DP-SGD of a small classifier: each example's gradient is clipped, their sum over dp gets Gaussian noise. The rows of a
// batch, which are drawn again in each step, and the sum of the clipped gradients go over the mesh.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
constexpr std::int64_t examples = 512, batch = 64, features = 8, hidden = 16;
constexpr float clip = 1, noise = 0.8, rate = 0.5;
constexpr auto by_rows = ts::out_sharding<ts::P<dp>, line>;

TESSERA_TREE(parameters, b1, b2, w1, w2);

// Points, and on which side of a curved surface they are.
constexpr auto make_data = [](auto key) {
  auto const x = ts::random::normal<float, examples, features>(key, by_rows);
  auto const column = ts::unstack<1>(x);
  return std::tuple{x, ts::astype<float>(column[0] * column[1] + column[2] > 0)};
};

constexpr auto init = [](auto key) {
  auto const [k1, k2] = ts::random::split(key);
  return parameters{.b1 = ts::zeros<float, hidden>(),
                    .b2 = ts::zeros<float, 1>(),
                    .w1 = ts::train::he_normal<float, features, hidden>(k1),
                    .w2 = ts::train::he_normal<float, hidden, 1>(k2)};
};

constexpr auto logit = [](auto p, auto x) {  // of one example
  return ts::squeeze(ts::matmul(ts::tanh(ts::matmul(x, p.w1) + p.b1), p.w2) + p.b2);
};

constexpr auto loss = [](auto p, auto x, auto y) {
  auto const z = logit(p, x);
  return ts::softplus(z) - y * z;
};

constexpr auto clipped_grad = [](auto p, auto x, auto y) {
  auto const [value, gradients] = ts::value_and_grad(loss)(p, x, y);
  auto const norm = ts::train::global_norm(gradients);
  return std::tuple{ts::train::clip_by_global_norm(gradients, clip), value, norm > clip};
};

constexpr auto step = [](auto p, auto x, auto y, auto key) {
  auto const [choose, draw] = ts::random::split(key);
  auto const rows = ts::random::choice<batch>(choose, ts::arange<examples>(), ts::random::without_replacement);
  auto const x_rows = x.at(rows).get(by_rows);
  auto const y_rows = y.at(rows).get(by_rows);
  auto const [gradients, values, clipped] = ts::vmap<ts::in_axes<ts::unmapped, 0, 0>>(clipped_grad)(p, x_rows, y_rows);
  auto const [total, unravel] = ts::ravel_pytree(ts::tree_map([](auto g) { return ts::sum<0>(g); }, gradients));
  auto const noisy = unravel((total + noise * clip * ts::random::normal_like(draw, total)) / batch);
  auto const next = ts::tree_map([](auto w, auto g) { return w - rate * g; }, p, noisy);
  return std::tuple{next, ts::mean(values), ts::mean(clipped)};
};

constexpr auto accuracy = [](auto p, auto x, auto y) {
  auto const logits = ts::vmap<ts::in_axes<ts::unmapped, 0>>(logit)(p, x);
  return ts::mean((logits > 0) == y);
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const here{ts::make_mesh<line>(ts::devices())};
  auto const [x, y] = ts::jit<make_data>(ts::random::key(0));
  auto p = ts::jit<ts::out_shardings<ts::P<>>, line>(init)(ts::random::key(1));
  constexpr auto const& sent =
      ts::comm_of<decltype(step), decltype(p), decltype(x), decltype(y), decltype(ts::random::key(0))>;
  static_assert(sent.count(ts::collective::reduce_scatter) == 2 && sent.count(ts::collective::all_reduce) == 1);
  for (int i = 0; i <= 160; ++i) {
    auto const [next, value, clipped] = ts::jit<step>(p, x, y, ts::random::key(100 + i));
    p = next;
    if (i % 40 == 0) std::printf("step %3d  loss %.3f  clipped %.3f\n", i, value.item(), clipped.item());
  }
  std::printf("accuracy %.3f\n", ts::jit<accuracy>(p, x, y).item());
}
