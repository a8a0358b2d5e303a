// SPDX-License-Identifier: Apache-2.0
#pragma once
// Step `count` of Adam, from 1 on: the new parameters and both means begin as the old ones (`alias`). If the old ones
// are moved into a call of jit, the new ones are written over them:
//   std::tie(w, mean, square) = ts::jit<adam>(slope, rate, count, std::move(w), std::move(mean), std::move(square));

#include <tessera/tessera.hpp>

namespace kernels {

namespace ts = tessera;

struct adam_block {
  constexpr void operator()(auto const& slope, auto const& rate, auto const& count, auto const&, auto const&,
                            auto const&, auto& w, auto& mean, auto& square) const {
    auto const steps = ts::astype(count, w);
    mean = 0.9 * mean + 0.1 * slope;
    square = 0.999 * square + 0.001 * slope * slope;
    auto const unbiased = mean / (1 - ts::power(0.9, steps));
    w -= rate * unbiased / (ts::sqrt(square / (1 - ts::power(0.999, steps))) + 1e-8);
  }
};
struct adam {
  constexpr auto operator()(auto slope, auto rate, auto count, auto w, auto mean, auto square) const {
    using block = ts::block_spec<[](auto i) { return i; }, 128>;
    using like_w = ts::out_like<block, decltype(w)>;
    using whole = ts::block_spec<>;
    return ts::kernel<ts::kernel_grid<ts::cdiv(ts::typeof_t<decltype(w)>::shape()[0], 128)>,
                      ts::in_block_specs<block, whole, whole, block, block, block>,
                      ts::out_block_specs<like_w, like_w, like_w>, ts::alias<3, 0>, ts::alias<4, 1>, ts::alias<5, 2>>(
        adam_block{})(slope, rate, count, w, mean, square);
  }
};

}  // namespace kernels
