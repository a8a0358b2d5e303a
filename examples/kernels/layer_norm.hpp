// SPDX-License-Identifier: Apache-2.0
#pragma once
// (x - mean) / sqrt(variance + epsilon) * gain + offset by rows, 16 rows at a time, and its gradient: a kernel has
// none, so custom_vjp gives it another kernel. Instances that run at the same time add to the gradients of gain and
// offset.

#include <tessera/tessera.hpp>

#include <tuple>

namespace kernels {

namespace ts = tessera;

struct normalize_rows {
  constexpr void operator()(auto const& x, auto const& gain, auto const& offset, auto& out, auto& mean,
                            auto& scale) const {
    mean = ts::mean<1>(x, ts::keepdims);
    scale = ts::rsqrt(ts::mean<1>((x - mean) * (x - mean), ts::keepdims) + 1e-5);
    out = (x - mean) * scale * gain + offset;
  }
};
struct rows_back {
  constexpr void operator()(auto const& x, auto const& gain, auto const& mean, auto const& scale, auto const& bar,
                            auto& x_bar, auto& gain_bar, auto& offset_bar) const {
    auto const normal = (x - mean) * scale;
    auto const back = bar * gain;
    x_bar = scale * (back - ts::mean<1>(back, ts::keepdims) - normal * ts::mean<1>(back * normal, ts::keepdims));
    gain_bar = ts::sum<0>(bar * normal);
    offset_bar = ts::sum<0>(bar);
  }
};

struct row_at {
  constexpr auto operator()(auto i) const { return std::tuple{i, 0}; }
};
template <class X>
inline constexpr auto shape_of = ts::typeof_t<X>::shape();
template <class X>
using rows_of = ts::block_spec<row_at{}, 16, shape_of<X>[1]>;
template <class X>
using grid_of = ts::kernel_grid<ts::cdiv(shape_of<X>[0], 16)>;
using number_of_each = ts::block_spec<row_at{}, 16, 1>;
using whole = ts::block_spec<>;

struct layer_norm_kept {  // the result, and what its gradient needs
  constexpr auto operator()(auto x, auto gain, auto offset) const {
    using X = decltype(x);
    using numbers = ts::out_block<number_of_each, ts::element_of<ts::typeof_t<X>::dtype()>, shape_of<X>[0], 1>;
    auto const [out, mean, scale] = ts::kernel<grid_of<X>, ts::in_block_specs<rows_of<X>, whole, whole>,
                                               ts::out_block_specs<ts::out_like<rows_of<X>, X>, numbers, numbers>>(
        normalize_rows{})(x, gain, offset);
    return std::tuple{out, std::tuple{x, gain, mean, scale}};
  }
};
struct layer_norm_forward {
  constexpr auto operator()(auto x, auto gain, auto offset) const {
    return std::get<0>(layer_norm_kept{}(x, gain, offset));
  }
};
struct layer_norm_back {
  constexpr auto operator()(auto kept, auto bar) const {
    auto const [x, gain, mean, scale] = kept;
    using X = decltype(x);
    using G = decltype(gain);
    return ts::kernel<grid_of<X>, ts::in_block_specs<rows_of<X>, whole, number_of_each, number_of_each, rows_of<X>>,
                      ts::out_block_specs<ts::out_like<rows_of<X>, X>, ts::sum_like<whole, G>, ts::sum_like<whole, G>>>(
        rows_back{})(x, gain, mean, scale, bar);
  }
};
inline constexpr auto layer_norm = ts::custom_vjp(layer_norm_forward{}, layer_norm_kept{}, layer_norm_back{});

}  // namespace kernels
