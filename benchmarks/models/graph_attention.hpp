// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two layers of graph attention (Velickovic et al., 2018): 2,000 nodes of 32 numbers, 16,000 edges, 4 heads of 8.

#include "training.hpp"

#include <tessera/functions.hpp>

namespace cases::graph_attention {

constexpr std::int64_t nodes = 2000, edges = 16000, width = 32, heads = 4, head = width / heads;

struct loss {
  static constexpr float rate = 0.01f;
  constexpr auto operator()(auto p, auto x, auto from, auto to, auto y) const {
    auto [first, second, attention, out] = p;
    auto const h = ts::elu(layer(first, attention, x, from, to));
    return ts::mean(ts::square(ts::matmul(layer(second, attention, h, from, to), out) - y));
  }
  static constexpr auto layer(auto w, auto attention, auto x, auto from, auto to) {
    auto const h = ts::reshape<nodes, heads, head>(ts::matmul(x, w));
    auto const sent = h.at(from).get(), own = h.at(to).get();
    auto const score = ts::leaky_relu(ts::sum<-1>(ts::concatenate<2>(sent, own) * attention), 0.2);
    auto const part = ts::exp(score - ts::segment_max<nodes>(score, to).at(to).get());
    auto const share = part / (ts::segment_sum<nodes>(part, to).at(to).get() + 1e-9f);
    return ts::reshape<nodes, width>(ts::segment_sum<nodes>(ts::expand_dims<2>(share) * sent, to));
  }
};

inline void run(benchmark::State& state, std::string const& name) {
  using M = grid<1, 1>;
  auto const p = std::tuple{put<ts::P<>, M, width, width>(noises(1, width * width, 0.3f)),
                            put<ts::P<>, M, width, width>(noises(2, width * width, 0.3f)),
                            put<ts::P<>, M, heads, 2 * head>(noises(3, 2 * width, 0.3f)),
                            put<ts::P<>, M, width, 1>(noises(4, width, 0.3f))};
  std::vector<std::int32_t> from, to;
  for (std::int64_t e = 0; e < edges; ++e) {
    from.push_back(static_cast<std::int32_t>(e * 7919 % nodes));
    to.push_back(static_cast<std::int32_t>(e * 104729 % nodes));
  }
  auto const ends = [](std::vector<std::int32_t> const& of) {
    return ts::device_put<ts::P<>>(ts::host<edges>(of), ts::make_mesh<M>(ts::devices()));
  };
  train<loss>(state, name, p, put<ts::P<>, M, nodes, width>(noises(5, nodes * width)), ends(from), ends(to),
              put<ts::P<>, M, nodes, 1>(noises(6, nodes)));
}

}  // namespace cases::graph_attention
