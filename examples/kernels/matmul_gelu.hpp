// SPDX-License-Identifier: Apache-2.0
#pragma once
// gelu(x w + bias) in tiles of 32 x 32: the product is added up in scratch memory, 64 of the inner extent at a time, in
// float32 where the arrays have 16 bits, and only the finished tile is written.

#include <tessera/tessera.hpp>

#include <tuple>

namespace kernels {

namespace ts = tessera;

template <class Wide>
struct tile_with_epilogue {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const& x, auto const& w, auto const& bias,
                            auto& out, auto& sum) const {
    sum += ts::matmul(x, w, ts::preferred<Wide>);
    ts::when(
        ts::program_id<2>(program) == ts::num_programs<2>(program) - 1,
        [&](auto& tile) { tile = ts::astype(ts::gelu(sum + bias), tile); }, out);
  }
};
struct matmul_gelu {
  constexpr auto operator()(auto x, auto w, auto bias) const {
    using X = ts::typeof_t<decltype(x)>;
    constexpr auto m = X::shape()[0], k = X::shape()[1], n = ts::typeof_t<decltype(w)>::shape()[1];
    using element = ts::element_of<X::dtype()>;
    using wide = ts::element_of<ts::promote({X::dtype()}, {ts::dtype::float32}).element>;
    using x_tile = ts::block_spec<[](auto i, auto, auto p) { return std::tuple{i, p}; }, 32, 64>;
    using w_tile = ts::block_spec<[](auto, auto j, auto p) { return std::tuple{p, j}; }, 64, 32>;
    using bias_tile = ts::block_spec<[](auto, auto j, auto) { return j; }, 32>;
    using tile = ts::block_spec<[](auto i, auto j, auto) { return std::tuple{i, j}; }, 32, 32>;
    return ts::kernel<ts::kernel_grid<ts::cdiv(m, 32), ts::cdiv(n, 32), ts::sequential{ts::cdiv(k, 64)}>,
                      ts::in_block_specs<x_tile, w_tile, bias_tile>,
                      ts::out_block_specs<ts::out_block<tile, element, m, n>>, ts::scratch<wide, 32, 32>>(
        tile_with_epilogue<wide>{})(x, w, bias);
  }
};

}  // namespace kernels
