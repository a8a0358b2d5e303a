// SPDX-License-Identifier: Apache-2.0
#pragma once
// W5's program: an SGD step of loss = mean((gelu(x w1) w2 - y)^2).

#include "inputs.hpp"

#include <tuple>

namespace cases::mlp_step {

constexpr std::int64_t batch = 512, width = 1024, hidden = 4096;
constexpr float rate = 100;  // large, so that a step changes the weights measurably

using none2 = ts::P<ts::none, ts::none>;

// Activation: the layout of gelu(x w1) w2. Gather: the weights' layout inside the function (fsdp).
template <class Activation, bool Gather>
struct loss {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto const whole = [](auto w) {
      if constexpr (Gather)
        return ts::reshard<none2>(w);
      else
        return w;
    };
    auto h = ts::gelu(ts::matmul(x, whole(std::get<0>(p))));
    auto off = ts::matmul(h, whole(std::get<1>(p)), ts::out_sharding<Activation>) - y;
    return ts::mean(off * off);
  }
};
template <class Activation, bool Gather>
struct step {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto gradient = ts::grad(loss<Activation, Gather>{})(p, x, y);
    return ts::tree_map([](auto old, auto g) { return old - rate * g; }, p, gradient);
  }
};

}  // namespace cases::mlp_step
