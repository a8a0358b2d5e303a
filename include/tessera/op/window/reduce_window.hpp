// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions over windows.
//   reduce_window_max(x, window<2, 1>, strided<2, 1>)   reduce_window_sum(x, window<3>, same)   reduce_window_min(...)
// The window has a number for each dimension of x; strides are 1 and the padding is valid where not given. Dimensions keep
// their layout, and the new extent must divide. Bytes: of a sharded dimension that the window moves along, the rows that
// windows reach of the neighbors' blocks (window_dims.hpp: halo_of), or all of them. Elements outside of x do not count.
// Source: JAX 0.10.2 lax.reduce_window.

#include <tessera/op/base/relayout.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/window/window_dims.hpp>
#include <tessera/op/window/window_extreme.hpp>
#include <tessera/op/window/window_options.hpp>
#include <tessera/op/window/windows.hpp>

#include <limits>

namespace tessera {
namespace ops {

struct over_windows_params {
  extents_list window{}, strides{}, pads{};
  window_padding padding = window_padding::valid;
  bool spatial = false;  // the window is of the spatial dimensions of (..., spatial, channels),
  bool nchw = false;     // or of (..., channels, spatial)
  static constexpr void fields(auto& p, auto&& each) {
    each(p.window, p.strides, p.pads, p.padding, p.spatial, p.nchw);
  }
};
// An operation Self over windows: reduced(builder, x, windows), and the value of elements outside of x, fill(dtype).
template <class Self>
struct over_windows {
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    array_value const x = operand[0].facts();
    auto const asked = attrs.as<over_windows_params>();
    int const given = asked.window.size(), others = asked.spatial ? x.rank - given : 0;
    int const shift = asked.spatial && !asked.nchw ? others - 1 : others;
    if (asked.spatial ? others < 1 : given != x.rank)
      return b.template refuse<Self>(refuse(reason::ranks_disagree, -1, {}, x.rank, given), x);
    if (!x.unreduced.empty()) return b.template refuse<Self>(refuse(reason::unreduced_operand, -1, x.unreduced), x);
    window_dims w;  // of the dimensions that it moves along
    for (int d = 0; d < given; ++d) {
      window_dims one;
      one.rank = 1;
      one.at[window_dims::size][0] = asked.window[d];
      one.at[window_dims::stride][0] = d < asked.strides.size() ? asked.strides[d] : 1;
      one.at[window_dims::dilation][0] = 1;
      one.at[window_dims::dim][0] = d + shift;
      one.at[window_dims::extent][0] = x.extent(d + shift);
      extents_list pads;
      for (int side = 0; side < 2; ++side)
        pads.push_back(2 * d + side < asked.pads.size() ? asked.pads[2 * d + side] : 0);
      pad_window(one, asked.padding, pads);
      bool const still = one.at[window_dims::size][0] == 1 && one.at[window_dims::stride][0] == 1 &&
                         one.at[window_dims::low][0] == 0 && one.at[window_dims::high][0] == 0;
      if (still) continue;
      if (w.rank == 3) return b.template refuse<Self>(refuse(reason::ranks_disagree, -1, {}, given, 3), x);
      for (int group = 0; group < 7; ++group) w.at[group][w.rank] = one.at[group][0];
      ++w.rank;
    }
    if (w.rank == 0) return operand[0];
    array_value out = x;
    for (int i = 0; i < w.rank; ++i) out.extent(static_cast<int>(w.at[window_dims::dim][i])) = w.places(i);
    if (verdict const even = rule::divides(out, b.mesh()); !even) return b.template refuse<Self>(even, x);
    array_value whole = x;
    for (int i = 0; i < w.rank; ++i)
      if (auto const d = static_cast<int>(w.at[window_dims::dim][i]); !halo_of(w, i, x.entry(d), b.mesh()).possible)
        whole.entry(d) = {};
    auto const local = tessera::detail::laid_out_as(b, operand[0], whole);
    term const result = Self::reduced(b, local, w.filled_with(Self::fill(x.element)));
    return result ? tessera::detail::laid_out_as(b, Self::finished(b, result, asked), out) : result;
  }
  template <class B>
  static constexpr term finished(B&, term result, over_windows_params const&) {
    return result;
  }
};
// The extreme of each window.
template <class Self, class Extreme>
struct extremes_over_windows : over_windows<Self> {
  template <class B>
  static constexpr term reduced(B& b, term x, window_dims const& w) {
    return make<Extreme>(b, {x}, w);
  }
};
// The sum of each window.
template <class Self>
struct sums_over_windows : over_windows<Self> {
  static constexpr double fill(dtype) { return 0; }
  template <class B>
  static constexpr term reduced(B& b, term x, window_dims const& w) {
    reduce_params over;
    for (int i = 0; i < w.rank; ++i) over.dims.push_back(x.facts().rank + i);
    auto const patches = make<window_patches>(b, {x}, w);
    return patches ? make<reduce_sum>(b, {patches}, over) : patches;
  }
};

constexpr double lowest_of(dtype element) {
  return is_floating(element) ? -std::numeric_limits<double>::infinity() : static_cast<double>(lowest_integer(element));
}

struct reduce_window_sum : sums_over_windows<reduce_window_sum> {
  static constexpr std::string_view name = "reduce_window_sum";
};
struct reduce_window_max : extremes_over_windows<reduce_window_max, window_max> {
  static constexpr std::string_view name = "reduce_window_max";
  static constexpr double fill(dtype element) { return lowest_of(element); }
};
struct reduce_window_min : extremes_over_windows<reduce_window_min, window_min> {
  static constexpr std::string_view name = "reduce_window_min";
  static constexpr double fill(dtype element) {
    return is_floating(element)       ? std::numeric_limits<double>::infinity()
           : element == dtype::int64  ? 9223372036854774784.0
           : element == dtype::uint64 ? 18446744073709549568.0
                                      : static_cast<double>(highest_integer(element));
  }
};

}  // namespace ops

template <bool Spatial, class... Options>
struct over_window {
  template <Mesh M>
  static constexpr ops::over_windows_params on() {
    ops::over_windows_params asked;
    asked.spatial = Spatial;
    (take(asked, Options{}), ...);
    return asked;
  }

private:
  template <std::int64_t... N>
  static constexpr void take(ops::over_windows_params& asked, window_t<N...>) {
    asked.window = {N...};
  }
  template <std::int64_t... N>
  static constexpr void take(ops::over_windows_params& asked, strides_t<N...>) {
    static_assert(((N > 0) && ...), "tessera: a window moves on. Fix: strides of 1 and more.");
    asked.strides = {N...};
  }
  template <std::int64_t... N>
  static constexpr void take(ops::over_windows_params& asked, pads_t<N...>) {
    asked.pads = {N...};
    asked.padding = ops::window_padding::given;
  }
  static constexpr void take(ops::over_windows_params& asked, same_t) { asked.padding = ops::window_padding::same; }
  static constexpr void take(ops::over_windows_params&, valid_t) {}
  static constexpr void take(ops::over_windows_params&, nhwc_t) requires Spatial {}
  static constexpr void take(ops::over_windows_params& asked, nchw_t) requires Spatial { asked.nchw = true; }
};

namespace functions {

template <class X, std::int64_t... N>
constexpr auto reduce_window_sum(X const& x, window_t<N...>, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_sum, over_window<false, window_t<N...>>>(at, x);
}
template <class X, std::int64_t... N, class A>
  requires std::is_empty_v<A>
constexpr auto reduce_window_sum(X const& x, window_t<N...>, A, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_sum, over_window<false, window_t<N...>, A>>(at, x);
}
template <class X, std::int64_t... N, class A, class B>
  requires std::is_empty_v<B>
constexpr auto reduce_window_sum(X const& x, window_t<N...>, A, B, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_sum, over_window<false, window_t<N...>, A, B>>(at, x);
}
template <class X, std::int64_t... N>
constexpr auto reduce_window_max(X const& x, window_t<N...>, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<false, window_t<N...>>>(at, x);
}
template <class X, std::int64_t... N, class A>
  requires std::is_empty_v<A>
constexpr auto reduce_window_max(X const& x, window_t<N...>, A, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<false, window_t<N...>, A>>(at, x);
}
template <class X, std::int64_t... N, class A, class B>
  requires std::is_empty_v<B>
constexpr auto reduce_window_max(X const& x, window_t<N...>, A, B, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_max, over_window<false, window_t<N...>, A, B>>(at, x);
}
template <class X, std::int64_t... N>
constexpr auto reduce_window_min(X const& x, window_t<N...>, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_min, over_window<false, window_t<N...>>>(at, x);
}
template <class X, std::int64_t... N, class A>
  requires std::is_empty_v<A>
constexpr auto reduce_window_min(X const& x, window_t<N...>, A, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_min, over_window<false, window_t<N...>, A>>(at, x);
}
template <class X, std::int64_t... N, class A, class B>
  requires std::is_empty_v<B>
constexpr auto reduce_window_min(X const& x, window_t<N...>, A, B, site at = std::source_location::current()) {
  return invoke<ops::reduce_window_min, over_window<false, window_t<N...>, A, B>>(at, x);
}

}  // namespace functions

}  // namespace tessera
