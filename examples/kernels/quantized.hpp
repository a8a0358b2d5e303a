// SPDX-License-Identifier: Apache-2.0
#pragma once
// The product of int8 arrays whose blocks of 32 elements along the inner extent have a scale each:
//   z(i, j) = sum over p of x_scale(i, p / 32) x(i, p) w(p, j) w_scale(p / 32, j)
// Within a block the sum is one of int32, exact; the scales come to it when it is added to the others in float32.

#include <tessera/tessera.hpp>

#include <tuple>

namespace kernels {

namespace ts = tessera;

struct add_scaled_block {
  constexpr void operator()(auto const& x, auto const& x_scale, auto const& w, auto const& w_scale, auto& out) const {
    out += ts::astype<float>(ts::matmul(x, w, ts::preferred<std::int32_t>)) * x_scale * w_scale;
  }
};
struct quantized_matmul {
  constexpr auto operator()(auto x, auto x_scale, auto w, auto w_scale) const {
    constexpr auto m = ts::typeof_t<decltype(x)>::shape()[0], k = ts::typeof_t<decltype(x)>::shape()[1],
                   n = ts::typeof_t<decltype(w)>::shape()[1];
    constexpr auto left = [](auto i, auto, auto p) { return std::tuple{i, p}; };
    constexpr auto right = [](auto, auto j, auto p) { return std::tuple{p, j}; };
    using tile = ts::block_spec<[](auto i, auto j, auto) { return std::tuple{i, j}; }, 16, 16>;
    return ts::kernel<ts::kernel_grid<ts::cdiv(m, 16), ts::cdiv(n, 16), ts::sequential{ts::cdiv(k, 32)}>,
                      ts::in_block_specs<ts::block_spec<left, 16, 32>, ts::block_spec<left, 16, 1>,
                                         ts::block_spec<right, 32, 16>, ts::block_spec<right, 1, 16>>,
                      ts::out_block_specs<ts::out_block<tile, float, m, n>>>(add_scaled_block{})(x, x_scale, w,
                                                                                                 w_scale);
  }
};

}  // namespace kernels
