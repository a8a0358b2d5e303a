// SPDX-License-Identifier: Apache-2.0
// A small convolutional net learns the direction of stripes in noisy images: two convolutions, batch norm with running
// statistics, momentum SGD. The batch is split over dp; sums over it go over the mesh, those of batch norm and of the
// gradients.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <numbers>
#include <tuple>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
constexpr std::int64_t batch = 64, size = 16, classes = 4;
constexpr auto by_rows = ts::out_sharding<ts::P<dp>, line>;

TESSERA_TREE(parameters, conv1, conv2, gain, offset, w, b);
TESSERA_TREE(statistics, mean, var);

// Stripes in one of four directions, at a random phase, with noise.
constexpr auto make_batch = [](auto key) {
  auto const [k1, k2, k3] = ts::random::split<3>(key);
  auto const labels = ts::random::randint<std::int32_t, batch>(k1, 0, classes, by_rows);
  auto const phase = ts::random::uniform<float, batch, 1, 1>(k2, 0, 6.28, by_rows);
  auto const noise = ts::random::normal<float, batch, size, size>(k3, by_rows);
  auto const angle = ts::reshape<batch, 1, 1>(labels * (std::numbers::pi / classes));
  auto const i = ts::arange<size>();
  auto const images = ts::sin(ts::cos(angle) * ts::expand_dims<1>(i) + ts::sin(angle) * i + phase) + noise;
  return std::tuple{ts::expand_dims<-1>(images), labels};
};

constexpr ts::train::momentum optimizer;

constexpr auto init = [](auto key) {
  auto const [k1, k2, k3] = ts::random::split<3>(key);
  auto const p = parameters{.conv1 = ts::train::he_normal<float, 3, 3, 1, 8>(k1),
                            .conv2 = ts::train::he_normal<float, 3, 3, 8, 16>(k2),
                            .gain = ts::ones<float, 8>(),
                            .offset = ts::zeros<float, 8>(),
                            .w = ts::train::he_normal<float, 4 * 4 * 16, classes>(k3),
                            .b = ts::zeros<float, classes>()};
  return std::tuple{p, statistics{ts::zeros<float, 8>(), ts::ones<float, 8>()}, optimizer.init(p)};
};

constexpr auto batch_norm(auto x, auto stats, auto training) {
  if constexpr (training) {
    auto const now = statistics{ts::mean<0, 1, 2>(x), ts::var<0, 1, 2>(x)};
    auto const next = ts::tree_map([](auto old, auto now) { return 0.9 * old + 0.1 * now; }, stats, now);
    return std::tuple{(x - now.mean) * ts::rsqrt(now.var + 1e-5), next};
  } else {
    return std::tuple{(x - stats.mean) * ts::rsqrt(stats.var + 1e-5), stats};
  }
}

constexpr auto apply = [](auto p, auto stats, auto images, auto training) {
  auto const [normal, next] = batch_norm(ts::conv(images, p.conv1, ts::same, ts::nhwc), stats, training);
  auto const h = ts::max_pool(ts::relu(p.gain * normal + p.offset), ts::window<2, 2>, ts::strided<2, 2>);
  auto const g = ts::max_pool(ts::relu(ts::conv(h, p.conv2, ts::same, ts::nhwc)), ts::window<2, 2>, ts::strided<2, 2>);
  return std::tuple{ts::matmul(ts::reshape<batch, ts::infer>(g), p.w) + p.b, next};
};

constexpr auto loss = [](auto p, auto stats, auto images, auto labels) {
  auto const [logits, next] = apply(p, stats, images, std::true_type{});
  auto const picked = ts::sum<1>(ts::one_hot<classes>(labels) * ts::log_softmax(logits));
  return std::tuple{-ts::mean(picked), next};
};

constexpr auto step = [](auto p, auto stats, auto state, auto key) {
  auto const [images, labels] = make_batch(key);
  auto const [result, gradients] = ts::value_and_grad(loss, ts::has_aux)(p, stats, images, labels);
  auto const [value, next_stats] = result;
  auto const [updated, next] = optimizer.update(gradients, state, p, 0.02);
  return std::tuple{std::tuple{updated, next_stats, next}, value};
};

constexpr auto accuracy = [](auto p, auto stats, auto key) {
  auto const [images, labels] = make_batch(key);
  auto const logits = std::get<0>(apply(p, stats, images, std::false_type{}));
  return ts::mean(ts::argmax<1>(logits) == labels);
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const here{ts::make_mesh<line>(ts::devices())};
  auto [p, stats, state] = ts::jit<ts::out_shardings<ts::P<>>, line>(init)(ts::random::key(0));
  constexpr auto const& sent =
      ts::comm_of<decltype(step), decltype(p), decltype(stats), decltype(state), decltype(ts::random::key(0))>;
  static_assert(sent.count() == 5);
  for (int i = 0; i <= 60; ++i) {
    auto const [next, value] = ts::jit<step>(p, stats, state, ts::random::key(100 + i));
    std::tie(p, stats, state) = next;
    if (i % 15 == 0) std::printf("step %2d  loss %.3f\n", i, value.item());
  }
  std::printf("running mean %.3f, variance %.2f\n", ts::sum(ts::abs(stats.mean)).item(), ts::sum(stats.var).item());
  std::printf("accuracy %.3f\n", ts::jit<accuracy>(p, stats, ts::random::key(1)).item());
}
