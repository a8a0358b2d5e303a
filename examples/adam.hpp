// SPDX-License-Identifier: Apache-2.0
#pragma once
// The optimiser of the examples that train with Adam.

#include <tessera/types.hpp>

#include <tuple>

namespace examples {

namespace ts = tessera;

// Adam (Kingma and Ba, 2015): moments m and v, learning rate and step number (from 1) as run-time scalars.
struct adam {
  constexpr auto operator()(auto p, auto gradient, auto m, auto v, auto rate, auto step) const {
    constexpr double b1 = 0.9, b2 = 0.999, epsilon = 1e-8;
    auto first = ts::tree_map([&](auto old, auto g) { return old * b1 + g * (1 - b1); }, m, gradient);
    auto second = ts::tree_map([&](auto old, auto g) { return old * b2 + g * g * (1 - b2); }, v, gradient);
    auto correct1 = 1.0 - ts::exp(step * -0.10536051565782628);    // 1 - b1^step: log(0.9) = -0.105...
    auto correct2 = 1.0 - ts::exp(step * -0.0010005003335835335);  // 1 - b2^step
    auto updated = ts::tree_map(
        [&](auto old, auto a, auto b) { return old - (a / correct1) * rate / (ts::sqrt(b / correct2) + epsilon); }, p,
        first, second);
    return std::tuple{updated, first, second};
  }
};

}  // namespace examples
