// SPDX-License-Identifier: Apache-2.0
#pragma once
// x w over devices that have a part of the inner extent each: a kernel multiplies, in tiles of 16 x 16, the blocks that
// a device has, and one psum_scatter adds the devices' products, of which each device keeps its rows.

#include <tessera/tessera.hpp>

#include <tuple>

namespace kernels {

namespace ts = tessera;

struct tp : ts::axis {};  // splits the inner extent
using line = ts::mesh<ts::explicit_axis<tp, 4>>;

struct add_product {
  constexpr void operator()(auto const& x, auto const& w, auto& out) const { out += ts::matmul(x, w); }
};
struct tiled_matmul {
  constexpr auto operator()(auto x, auto w) const {
    using X = ts::typeof_t<decltype(x)>;
    constexpr auto m = X::shape()[0], k = X::shape()[1], n = ts::typeof_t<decltype(w)>::shape()[1];
    using x_tile = ts::block_spec<[](auto i, auto, auto p) { return std::tuple{i, p}; }, 16, 16>;
    using w_tile = ts::block_spec<[](auto, auto j, auto p) { return std::tuple{p, j}; }, 16, 16>;
    using tile = ts::block_spec<[](auto i, auto j, auto) { return std::tuple{i, j}; }, 16, 16>;
    return ts::kernel<ts::kernel_grid<ts::cdiv(m, 16), ts::cdiv(n, 16), ts::sequential{ts::cdiv(k, 16)}>,
                      ts::in_block_specs<x_tile, w_tile>,
                      ts::out_block_specs<ts::out_block<tile, ts::element_of<X::dtype()>, m, n>>>(add_product{})(x, w);
  }
};
struct sharded_matmul {
  constexpr auto operator()(auto x, auto w) const {
    return ts::shard_map<ts::in_specs<ts::P<ts::none, tp>, ts::P<tp>>, ts::out_specs<ts::P<tp>>>(
        [](auto x, auto w) { return ts::psum_scatter<tp>(tiled_matmul{}(x, w), ts::tiled); })(x, w);
  }
};

}  // namespace kernels
