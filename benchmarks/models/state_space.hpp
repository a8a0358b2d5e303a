// SPDX-License-Identifier: Apache-2.0
#pragma once
// A selective state-space block (Gu, Dao, Mamba, 2023): 4 sequences of 256 positions, 32 wide, 64 channels, each with 8 states. The
// states of all positions are one scan, or prefixes of an associative function.

#include "training.hpp"

namespace cases::state_space {

constexpr std::int64_t batch = 4, length = 256, width = 32, inner = 64, states = 8, taps = 3;

template <bool Prefixes>
struct loss {
  static constexpr float rate = 0.01f;
  constexpr auto operator()(auto p, auto first, auto x, auto y) const {
    auto [in, kernel, step, decay, to_state, from_state, out] = p;
    auto const both = ts::split<2, 2>(ts::matmul(x, in));
    auto const padded = ts::pad(both[0], 0.0f, ts::low<0, taps - 1, 0>, ts::high<0, 0, 0>);
    auto const tap = [&]<std::int64_t K>(std::integral_constant<std::int64_t, K>) {
      return ts::slice_in_dim<1, K, K + length>(padded) * ts::slice_in_dim<0, K, K + 1>(kernel);
    };
    auto const u =
        ts::silu(tap(std::integral_constant<std::int64_t, 0>{}) + tap(std::integral_constant<std::int64_t, 1>{}) +
                 tap(std::integral_constant<std::int64_t, 2>{}));
    auto const dt = ts::softplus(u * step);
    auto const kept = ts::exp(-ts::expand_dims<3>(dt) * ts::exp(decay));  // (sequence, position, channel, state)
    auto const added = ts::expand_dims<3>(dt * u) * ts::expand_dims<2>(ts::matmul(x, to_state));
    auto const read = ts::matmul(x, from_state);
    auto const made = ts::einsum<"blcs,bls->blc">(all_states(first, kept, added), read) * ts::silu(both[1]);
    return ts::mean(ts::square(ts::matmul(made, out) - y));
  }
  static constexpr auto all_states(auto first, auto kept, auto added) {
    if constexpr (Prefixes) {
      auto const combine = [](auto left, auto right) {
        auto const [a, b] = left;
        auto const [c, d] = right;
        return std::tuple{a * c, c * b + d};
      };
      return std::get<1>(ts::associative_scan<1>(combine, std::tuple{kept, added}));
    } else {
      auto const turn = [](auto h, auto at) {
        auto const [c, d] = at;
        auto const next = c * h + d;
        return std::tuple{next, next};
      };
      auto const [last, each] = ts::scan(turn, first, std::tuple{ts::swapaxes<0, 1>(kept), ts::swapaxes<0, 1>(added)});
      return ts::swapaxes<0, 1>(each);
    }
  }
};

template <bool Prefixes>
void run(benchmark::State& state, std::string const& name) {
  using M = grid<1, 1>;
  auto const p = std::tuple{put<ts::P<>, M, width, 2 * inner>(noises(1, width * 2 * inner, 0.5f)),
                            put<ts::P<>, M, taps, inner>(noises(2, taps * inner, 0.4f)),
                            put<ts::P<>, M, inner>(noises(3, inner, 0.4f)),
                            put<ts::P<>, M, inner, states>(noises(4, inner * states, 0.4f)),
                            put<ts::P<>, M, width, states>(noises(5, width * states, 0.5f)),
                            put<ts::P<>, M, width, states>(noises(6, width * states, 0.5f)),
                            put<ts::P<>, M, inner, width>(noises(7, inner * width, 0.5f))};
  auto const first = put<ts::P<>, M, batch, inner, states>(std::vector<float>(batch * inner * states));
  train<loss<Prefixes>>(state, name, p, first, put<ts::P<>, M, batch, length, width>(noises(8, batch * length * width)),
                        put<ts::P<>, M, batch, length, width>(noises(9, batch * length * width)));
}

}  // namespace cases::state_space
