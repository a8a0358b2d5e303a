// SPDX-License-Identifier: Apache-2.0
#pragma once
// W6's program: the gradient of a pre-norm transformer block, batch over dp, heads over mp, and its inputs.

#include "inputs.hpp"

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

namespace cases::block_of_transformer {

constexpr std::size_t width = 512, heads = 8, length = 256, batch = 8, hidden = 2048, head = width / heads;
constexpr std::size_t tokens = batch * length;

constexpr auto normed = [](auto x, auto gain, auto offset) { return ts::layer_norm(x) * gain + offset; };

// [batch, length, width] -> [batch, heads, length, head].
constexpr auto split = [](auto x) { return ts::transpose<0, 2, 1, 3>(ts::reshape<batch, length, heads, head>(x)); };

struct block {
  constexpr auto operator()(auto p, auto x) const {
    using whole = ts::P<dp, ts::none, ts::none>;
    auto const& [wq, wk, wv, wo, w1, w2, g1, b1, g2, b2] = p;
    auto const h = normed(x, g1, b1);
    auto const q = split(ts::matmul(h, wq)), k = split(ts::matmul(h, wk)), v = split(ts::matmul(h, wv));
    auto const s = ts::matmul(q, ts::transpose<0, 1, 3, 2>(k)) * 0.125f;
    auto const seen = ts::reshape<batch, length, width>(ts::transpose<0, 2, 1, 3>(ts::matmul(ts::softmax(s), v)));
    auto const y = x + ts::matmul(seen, wo, ts::out_sharding<whole>);
    auto const inner = ts::gelu(ts::matmul(normed(y, g2, b2), w1));
    return y + ts::matmul(inner, w2, ts::out_sharding<whole>);
  }
};
struct gradients {
  constexpr auto operator()(auto p, auto x, auto weight) const {
    return ts::grad<0, 1>([](auto p, auto x, auto weight) { return ts::sum(block{}(p, x) * weight); })(p, x, weight);
  }
};

template <class M = grid<4, 2>>
struct block_inputs {
  std::array<std::vector<float>, 10> host = [] {
    std::array<std::vector<float>, 10> p;
    std::size_t const rows[]{width, width, width, width, width, hidden},
        columns[]{width, width, width, width, hidden, width};
    for (std::size_t k = 0; k < 6; ++k)
      p[k] = noises(31 + k, rows[k] * columns[k], 1.7f / std::sqrt(static_cast<float>(rows[k])));
    p[6] = p[8] = std::vector<float>(width, 1);
    p[7] = p[9] = std::vector<float>(width, 0);
    return p;
  }();
  std::vector<float> const &host_x = noises(37, tokens*width, 1.7f), &host_weight = noises(38, tokens*width, 1.7f);

  auto parameters() const {
    using columns = ts::P<ts::none, mp>;
    using rows = ts::P<mp, ts::none>;
    return std::tuple{put<columns, M, width, width>(host[0]),  put<columns, M, width, width>(host[1]),
                      put<columns, M, width, width>(host[2]),  put<rows, M, width, width>(host[3]),
                      put<columns, M, width, hidden>(host[4]), put<rows, M, hidden, width>(host[5]),
                      put<ts::P<>, M, width>(host[6]),         put<ts::P<>, M, width>(host[7]),
                      put<ts::P<>, M, width>(host[8]),         put<ts::P<>, M, width>(host[9])};
  }
  static auto batches(std::vector<float> const& x) {
    return put<ts::P<dp, ts::none, ts::none>, M, batch, length, width>(x);
  }
};

}  // namespace cases::block_of_transformer
