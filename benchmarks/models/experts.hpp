// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mixture of experts: of 8 experts, 128 wide with 256 hidden units, each of 512 tokens goes to the likeliest, which takes at
// most 128 tokens; the others go past it. Then 64 classes a token.

#include "training.hpp"

namespace cases::experts {

constexpr std::int64_t tokens = 512, width = 128, hidden = 256, count = 8, room = 128, classes = 64;

struct loss {
  static constexpr float rate = 0.01f;
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto [router, up, down, out] = p;
    auto const chances = ts::softmax(ts::matmul(x, router));
    auto const chosen = ts::one_hot<count>(ts::argmax<1>(chances));            // (token, expert)
    auto const before = ts::sum<1>((ts::cumsum<0>(chosen) - 1.0f) * chosen);   // of the same expert
    auto const place = ts::one_hot<room>(ts::astype<std::int32_t>(before));    // 0 where there is no room
    auto const sent = ts::expand_dims<2>(chosen) * ts::expand_dims<1>(place);  // (token, expert, place)
    auto const weight = ts::expand_dims<2>(chances) * sent;
    auto const inputs = ts::einsum<"tec,td->ecd">(sent, x);
    auto const made = ts::einsum<"ecf,efd->ecd">(ts::relu(ts::einsum<"ecd,edf->ecf">(inputs, up)), down);
    auto const logits = ts::matmul(x + ts::einsum<"tec,ecd->td">(weight, made), out);
    return -ts::sum(ts::log_softmax(logits) * y) / float(tokens);
  }
};

inline void run(benchmark::State& state, std::string const& name) {
  using M = grid<1, 1>;
  auto const p = std::tuple{put<ts::P<>, M, width, count>(noises(1, width * count, 0.3f)),
                            put<ts::P<>, M, count, width, hidden>(noises(2, count * width * hidden, 0.1f)),
                            put<ts::P<>, M, count, hidden, width>(noises(3, count * hidden * width, 0.1f)),
                            put<ts::P<>, M, width, classes>(noises(4, width * classes, 0.1f))};
  auto const x = put<ts::P<>, M, tokens, width>(noises(5, tokens * width));
  train<loss>(state, name, p, x, put<ts::P<>, M, tokens, classes>(one_hot_rows(tokens, classes, 7)));
}

}  // namespace cases::experts
