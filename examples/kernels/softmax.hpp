// SPDX-License-Identifier: Apache-2.0
#pragma once
// The softmax of each row, 16 rows at a time: a row is read once and written once.

#include <tessera/tessera.hpp>

#include <tuple>

namespace kernels {

namespace ts = tessera;

struct softmax_rows {
  constexpr void operator()(auto const& x, auto& out) const {
    auto const e = ts::exp(x - ts::max<1>(x, ts::keepdims));
    out = e / ts::sum<1>(e, ts::keepdims);
  }
};
struct row_softmax {
  constexpr auto operator()(auto x) const {
    constexpr auto shape = ts::typeof_t<decltype(x)>::shape();
    using rows = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 16, shape[1]>;
    return ts::kernel<ts::kernel_grid<ts::cdiv(shape[0], 16)>, ts::in_block_specs<rows>,
                      ts::out_block_specs<ts::out_like<rows, decltype(x)>>>(softmax_rows{})(x);
  }
};

}  // namespace kernels
