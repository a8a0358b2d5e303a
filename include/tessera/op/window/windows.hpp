// SPDX-License-Identifier: Apache-2.0
#pragma once
// Windows over a few dimensions, copied from an array: convolutions and reductions over windows are composed of them.
// window_patches: x -> for each place of the window its elements, `fill` outside of x; other dimensions keep their
// layout. Dimensions that the window moves along are not sharded, or split as the places are, with a halo (halo_of).
// Its transpose adds each element at its origin. Bytes: 0, or the rows of the halo.

#include <tessera/op/base/opaque.hpp>
#include <tessera/op/window/window_dims.hpp>

namespace tessera {
namespace ops {

// One loop for both directions. Views: x has the dimensions of the window; patches first its sizes, then its places.
// f(element of x or null, element of the patches), in runs along the last place.
template <class X, class Y, class Run>
TESSERA_FUNCTION void each_window_run(window_dims const& w, dense_view<X> x, dense_view<Y> y, Run const& run) {
  constexpr int most = 3;
  std::int64_t size[most]{1, 1, 1}, place[most]{1, 1, 1}, extent[most]{1, 1, 1}, stride[most]{1, 1, 1}, low[most]{},
      dilation[most]{1, 1, 1}, sx[most]{}, size_step[most]{}, place_step[most]{};
  int const skip = most - w.rank;
  for (int i = 0; i < w.rank; ++i) {
    size[skip + i] = y.extent(i);
    place[skip + i] = y.extent(w.rank + i);
    extent[skip + i] = x.extent(i);
    stride[skip + i] = w.at[window_dims::stride][i];
    low[skip + i] = w.at[window_dims::low][i];
    dilation[skip + i] = w.at[window_dims::dilation][i];
    sx[skip + i] = x.step(i);
    size_step[skip + i] = y.step(i);
    place_step[skip + i] = y.step(w.rank + i);
  }
  for (std::int64_t a = 0; a < size[0]; ++a)
    for (std::int64_t b = 0; b < size[1]; ++b)
      for (std::int64_t c = 0; c < size[2]; ++c)
        for (std::int64_t p = 0; p < place[0]; ++p)
          for (std::int64_t q = 0; q < place[1]; ++q) {
            std::int64_t const i = p * stride[0] + a * dilation[0] - low[0];
            std::int64_t const j = q * stride[1] + b * dilation[1] - low[1];
            std::int64_t const k = c * dilation[2] - low[2];
            bool const inside = i >= 0 && i < extent[0] && j >= 0 && j < extent[1];
            std::int64_t first = k >= 0 ? 0 : (-k + stride[2] - 1) / stride[2];
            std::int64_t last = extent[2] - k <= 0 ? 0 : (extent[2] - k + stride[2] - 1) / stride[2];
            if (last > place[2]) last = place[2];
            if (!inside || first > last) first = last = inside && first > last ? last : 0;
            auto* const to = y.elements + a * size_step[0] + b * size_step[1] + c * size_step[2] + p * place_step[0] +
                             q * place_step[1];
            auto* const from = x.elements + (inside ? i * sx[0] + j * sx[1] + k * sx[2] : 0);
            run(from, stride[2] * sx[2], to, place_step[2], first, last, place[2]);
          }
}

template <class T>
struct copy_window_run {
  T fill;
  TESSERA_FUNCTION void operator()(T const* x, std::int64_t sx, T* y, std::int64_t sy, std::int64_t first,
                                   std::int64_t last, std::int64_t count) const {
    for (std::int64_t r = 0; r < first; ++r) y[r * sy] = fill;
    if (sx == 1 && sy == 1)
      for (std::int64_t r = first; r < last; ++r) y[r] = x[r];
    else
      for (std::int64_t r = first; r < last; ++r) y[r * sy] = x[r * sx];
    for (std::int64_t r = last; r < count; ++r) y[r * sy] = fill;
  }
};
template <class T>
struct add_window_run {
  TESSERA_FUNCTION void operator()(T* x, std::int64_t sx, T const* y, std::int64_t sy, std::int64_t first,
                                   std::int64_t last, std::int64_t) const {
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    for (std::int64_t r = first; r < last; ++r)
      x[r * sx] = static_cast<T>(static_cast<A>(x[r * sx]) + static_cast<A>(y[r * sy]));
  }
};

struct window_patches;

// An operation on windows: its result is split along their places as the operand is along their dimensions, or the
// reverse, if a halo allows it. A second operand is the array that windows lie over.
template <class Self, accepts Domain, int Operands = 1>
struct on_windows : opaque<Self, Operands, Domain> {
  static constexpr verdict rule(rule_input const& in) {
    constexpr bool cuts = requires { Self::cuts_windows; };
    window_dims const w = in.attrs.as<window_dims>();
    split_dims const dims(w, in[Operands - 1].rank - (cuts || Operands > 1 ? 0 : w.rank));
    int const *const from = cuts ? dims.source : dims.places, *const to = cuts ? dims.places : dims.source;
    array_value whole[Operands];
    array_value const* operand[Operands];
    for (int k = 0; k < Operands; ++k) {
      whole[k] = in[k];
      operand[k] = &whole[k];
    }
    bool free[3]{};
    for (int i = 0; i < w.rank; ++i) {
      entry_value const own = in[0].entry(from[i]);
      free[i] =
          halo_of(w, i, own, in.mesh).possible && (Operands == 1 || in[Operands - 1].entry(dims.source[i]) == own);
      if (!free[i]) continue;
      whole[0].entry(from[i]) = {};
      if (Operands > 1) whole[Operands - 1].entry(dims.source[i]) = {};
    }
    rule_input const plain{in.mesh, operand, Operands, in.attrs};
    verdict made = tessera::rule::opaque(plain, Self::local_shape(plain), 0);
    if (!made) return made;
    for (int i = 0; i < w.rank; ++i)
      if (free[i]) made.result.entry(to[i]) = in[0].entry(from[i]);
    return tessera::rule::lawful(made.result, in.mesh);
  }
};

struct window_patches_transpose : on_windows<window_patches_transpose, accepts::floats> {
  static constexpr std::string_view name = "window_patches_transpose";
  static constexpr bool adds_windows = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    window_dims const w = in.attrs.as<window_dims>();
    opaque_shape shape;
    window_places(w, in[0].rank - w.rank, shape.operand[0]);
    for (int i = 0; i < w.rank; ++i) {
      shape.result[0].dims.push_back(w.at[window_dims::dim][i]);
      shape.result[0].extents.push_back(w.at[window_dims::extent][i]);
    }
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> patches, dense_view<T> x) {
    for (std::int64_t i = 0, n = x.size(); i < n; ++i) x.at(i) = T{};
    each_window_run(call.attrs.as<window_dims>(), x, patches, add_window_run<T>{});
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    window_dims const w = back.attrs().template as<window_dims>();
    back.give(0, make<window_patches>(back, {back.cotangent()}, w.filled_with(0)));
  }
};

struct window_patches : on_windows<window_patches, accepts::any> {
  static constexpr std::string_view name = "window_patches";
  static constexpr bool cuts_windows = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    window_dims const w = in.attrs.as<window_dims>();
    opaque_shape shape;
    window_places(w, in[0].rank, shape.result[0].dims);
    for (int i = 0; i < w.rank; ++i) {
      shape.operand[0].push_back(w.at[window_dims::dim][i]);
      shape.result[0].extents.push_back(w.at[window_dims::size][i]);
    }
    for (int i = 0; i < w.rank; ++i) shape.result[0].extents.push_back(w.places(i));
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> x, dense_view<T> patches) {
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    window_dims const w = call.attrs.as<window_dims>();
    T const fill = static_cast<T>(static_cast<A>(w.fill));
    each_window_run(w, x, patches, copy_window_run<T>{fill});
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<window_patches_transpose>(back, {back.cotangent()}, back.attrs()));
  }
};

}  // namespace ops

}  // namespace tessera
