// SPDX-License-Identifier: Apache-2.0
#pragma once
// A language model of one gated recurrent unit: a scan over 64 positions of 32 sequences, 64 inputs, a state of 128, 64
// classes a position.

#include "training.hpp"

namespace cases::gru {

constexpr std::int64_t length = 64, batch = 32, inputs = 64, width = 128, classes = 64;

struct loss {
  static constexpr float rate = 0.01f;
  constexpr auto operator()(auto p, auto first, auto x, auto y) const {
    auto const wx = std::get<0>(p), wh = std::get<1>(p), nx = std::get<2>(p), nh = std::get<3>(p), out = std::get<4>(p);
    auto const [last, states] = ts::scan(
        [=](auto h, auto xt) {
          auto const gates = ts::sigmoid(ts::matmul(xt, wx) + ts::matmul(h, wh));
          auto const update = ts::slice_in_dim<1, 0, width>(gates),
                     reset = ts::slice_in_dim<1, width, 2 * width>(gates);
          auto const candidate = ts::tanh(ts::matmul(xt, nx) + reset * ts::matmul(h, nh));
          auto const next = update * h + (1.0f - update) * candidate;
          return std::tuple{next, next};
        },
        first, x);
    return -ts::sum(ts::log_softmax(ts::matmul(states, out)) * y) / float(length * batch);
  }
};

template <std::int64_t Devices>
void run(benchmark::State& state, std::string const& name) {
  using M = grid<Devices, 1>;
  auto const p = std::tuple{put<ts::P<>, M, inputs, 2 * width>(noises(1, inputs * 2 * width, 0.2f)),
                            put<ts::P<>, M, width, 2 * width>(noises(2, width * 2 * width, 0.1f)),
                            put<ts::P<>, M, inputs, width>(noises(3, inputs * width, 0.2f)),
                            put<ts::P<>, M, width, width>(noises(4, width * width, 0.1f)),
                            put<ts::P<>, M, width, classes>(noises(5, width * classes, 0.1f))};
  auto const first = put<ts::P<dp>, M, batch, width>(std::vector<float>(batch * width));
  auto const x = put<ts::P<ts::none, dp>, M, length, batch, inputs>(noises(6, length * batch * inputs));
  auto const y = put<ts::P<ts::none, dp>, M, length, batch, classes>(one_hot_rows(length * batch, classes, 7));
  train<loss>(state, name, p, first, x, y);
}

}  // namespace cases::gru
