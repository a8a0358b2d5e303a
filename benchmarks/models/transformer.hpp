// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two layers of a transformer, 8 sequences of 64 positions, 256 wide, 4 heads, 1,024 hidden units, 64 classes a position.
// Parameters are float32; all but the loss is computed in T.

#include "training.hpp"

namespace cases::transformer {

constexpr std::int64_t batch = 8, length = 64, width = 256, heads = 4, head = width / heads, hidden = 1024,
                       classes = 64;

struct layer {
  static constexpr auto split(auto x) { return ts::transpose<0, 2, 1, 3>(ts::reshape<batch, length, heads, head>(x)); }
  constexpr auto operator()(auto p, auto x) const {
    auto [gain1, wq, wk, wv, wo, gain2, up, down] = p;
    auto const h = ts::layer_norm(x) * gain1;
    auto const q = split(ts::matmul(h, wq)), k = split(ts::matmul(h, wk)), v = split(ts::matmul(h, wv));
    auto const scores = ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.125f;
    auto const earlier = ts::tril(ts::ones<bool, length, length>());
    auto const seen = ts::matmul(ts::softmax(ts::where(earlier, scores, -1e9f)), v);
    auto const y = x + ts::matmul(ts::reshape<batch, length, width>(ts::transpose<0, 2, 1, 3>(seen)), wo);
    return y + ts::matmul(ts::gelu(ts::matmul(ts::layer_norm(y) * gain2, up)), down);
  }
};

template <class T>
struct loss {
  static constexpr float rate = 0.01f;
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto const [first, second, last] = ts::tree_map([](auto w) { return ts::astype<T>(w); }, p);
    auto const logits = ts::matmul(layer{}(second, layer{}(first, ts::astype<T>(x))), last);
    return -ts::sum(ts::log_softmax(ts::astype<float>(logits)) * y) / float(batch * length);
  }
};

template <class M, std::int64_t... E>
auto weights(std::uint64_t seed, float scale) {
  return put<ts::P<>, M, E...>(noises(seed, (E * ...), scale));
}
template <class M>
auto layer_weights(std::uint64_t seed) {
  return std::tuple{weights<M, width>(seed, 0.5f),
                    weights<M, width, width>(seed + 1, 0.1f),
                    weights<M, width, width>(seed + 2, 0.1f),
                    weights<M, width, width>(seed + 3, 0.1f),
                    weights<M, width, width>(seed + 4, 0.1f),
                    weights<M, width>(seed + 5, 0.5f),
                    weights<M, width, hidden>(seed + 6, 0.1f),
                    weights<M, hidden, width>(seed + 7, 0.05f)};
}

template <class T, std::int64_t Devices>
void run(benchmark::State& state, std::string const& name) {
  using M = grid<Devices, 1>;
  auto const p = std::tuple{layer_weights<M>(1), layer_weights<M>(11), weights<M, width, classes>(21, 0.1f)};
  auto const x = put<ts::P<dp>, M, batch, length, width>(noises(31, batch * length * width));
  auto const y = put<ts::P<dp>, M, batch, length, classes>(one_hot_rows(batch * length, classes, 7));
  train<loss<T>>(state, name, p, x, y);
}

}  // namespace cases::transformer
