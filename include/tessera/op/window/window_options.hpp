// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is said of a window: its extents, strides, dilation and padding.

#include <tessera/op/window/window_dims.hpp>

namespace tessera {
namespace ops {

// How the borders of an array are treated.
enum class window_padding : std::uint8_t { same, valid, given };

// Fills in `low` and `high`.
constexpr void pad_window(window_dims& w, window_padding how, extents_list const& given) {
  for (int i = 0; i < w.rank; ++i) {
    auto& low = w.at[window_dims::low][i];
    auto& high = w.at[window_dims::high][i];
    low = high = 0;
    if (how == window_padding::given) {
      low = 2 * i < given.size() ? given[2 * i] : 0;
      high = 2 * i + 1 < given.size() ? given[2 * i + 1] : 0;
    } else if (how == window_padding::same) {
      auto const n = w.at[window_dims::extent][i], s = w.at[window_dims::stride][i];
      auto const reach = (w.at[window_dims::size][i] - 1) * w.at[window_dims::dilation][i] + 1;
      auto const need = n == dynamic ? reach - 1 : ((n + s - 1) / s - 1) * s + reach - n;
      low = need > 0 ? need / 2 : 0;
      high = need > 0 ? need - low : 0;
    }
  }
}

}  // namespace ops

// Parameters of windows: strides<2, 2>, dilated<2, 2>, same, valid, pads<1, 2> (low, high of each dimension in turn).
template <std::int64_t... N>
struct window_t {};
template <std::int64_t... N>
inline constexpr window_t<N...> window{};
template <std::int64_t... N>
struct strides_t {};
template <std::int64_t... N>
inline constexpr strides_t<N...> strided{};
template <std::int64_t... N>
struct dilated_t {};
template <std::int64_t... N>
inline constexpr dilated_t<N...> dilated{};
// The order of dimensions: (n, spatial..., c) and (n, c, spatial...).
struct nhwc_t {};
inline constexpr nhwc_t nhwc{};
struct nchw_t {};
inline constexpr nchw_t nchw{};
struct same_t {};
inline constexpr same_t same{};
struct valid_t {};
inline constexpr valid_t valid{};
template <std::int64_t... N>
struct pads_t {};
template <std::int64_t... N>
inline constexpr pads_t<N...> pads{};

}  // namespace tessera
