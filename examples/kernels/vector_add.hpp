// SPDX-License-Identifier: Apache-2.0
#pragma once
// x + y of two vectors, in blocks of 256 elements. Where 256 does not divide the length, the last block reaches over
// the end.

#include <tessera/tessera.hpp>

namespace kernels {

namespace ts = tessera;

struct add_blocks {
  constexpr void operator()(auto const& x, auto const& y, auto& out) const { out = x + y; }
};
struct vector_add {
  constexpr auto operator()(auto x, auto y) const {
    constexpr auto n = ts::typeof_t<decltype(x)>::shape()[0];
    using block = ts::block_spec<[](auto i) { return i; }, 256>;
    return ts::kernel<ts::kernel_grid<ts::cdiv(n, 256)>, ts::in_block_specs<block, block>,
                      ts::out_block_specs<ts::out_like<block, decltype(x)>>>(add_blocks{})(x, y);
  }
};

}  // namespace kernels
