// SPDX-License-Identifier: Apache-2.0
#pragma once
// The largest and the smallest element of each window: x -> an element for each place. Dimensions that windows move
// along keep their positions; layouts and halos are those of windows (windows.hpp). The gradient goes to the first
// element that equals the extreme; with NaN among them to the element that JAX chooses.
// Source: JAX 0.10.2 lax.reduce_window, lax._select_and_scatter_add and lax._select_and_gather_add.

#include <tessera/graph/monoid.hpp>
#include <tessera/op/window/windows.hpp>

namespace tessera {
namespace ops {

// Neighbors of the batch whose windows are read together.
inline constexpr int extreme_lanes = 16;

// The steps of a view along its dimensions: the first is of neighbors, the others are the last of three.
struct window_steps {
  std::int64_t lane = 0, by[3]{};
  template <class T>
  TESSERA_FUNCTION explicit window_steps(dense_view<T> const& x) : lane(x.step(0)) {
    for (int d = 1; d < x.rank(); ++d) by[3 - x.rank() + d] = x.step(d);
  }
  TESSERA_FUNCTION std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i * by[0] + j * by[1] + k * by[2];
  }
};

// Elements of the windows of one place are taken one after the other, of all neighbors together. The extreme of each is
// NaN if one of them is.
template <bool Largest, class A>
struct extremes_of_place {
  static constexpr monoid how = Largest ? monoid::max : monoid::min;
  A value[extreme_lanes];

  TESSERA_FUNCTION extremes_of_place() {
    for (int l = 0; l < extreme_lanes; ++l) value[l] = tessera::detail::identity_of<how, A>();
  }
  TESSERA_FUNCTION void take(A const* own, std::int64_t) {
    for (int l = 0; l < extreme_lanes; ++l) value[l] = tessera::detail::combine<how>(value[l], own[l]);
  }
};
// The offset of the element that each gradient goes to, -1 if there is none. An element stays chosen while it is at
// least as large (small) as the next one: the first of equal ones, and what follows a NaN.
template <bool Largest, class A>
struct choices_of_place {
  A value[extreme_lanes]{};
  std::int64_t at[extreme_lanes];

  TESSERA_FUNCTION choices_of_place() {
    for (int l = 0; l < extreme_lanes; ++l) at[l] = -1;
  }
  TESSERA_FUNCTION void take(A const* own, std::int64_t offset) {
    for (int l = 0; l < extreme_lanes; ++l) {
      bool const stays = (at[l] >= 0) & (Largest ? value[l] >= own[l] : value[l] <= own[l]);
      at[l] = stays ? at[l] : offset;
      value[l] = stays ? value[l] : own[l];
    }
  }
};

// found(offset of the place in y, Taken) for each place, which has taken the elements of its window, with their offsets
// by the steps `to`. Views have a dimension of neighbors, then those that windows move along.
template <class Taken, class T, class Y, class Found>
TESSERA_FUNCTION void each_place(window_dims const& w, dense_view<T const> x, dense_view<Y> y, window_steps const& to,
                                 Found const& found) {
  constexpr int most = 3;
  using A = tessera::detail::compute_type<dtype_of<T>()>;
  std::int64_t size[most]{1, 1, 1}, place[most]{1, 1, 1}, extent[most]{1, 1, 1}, stride[most]{1, 1, 1}, low[most]{},
      dilation[most]{1, 1, 1};
  int const skip = most - w.rank, count = static_cast<int>(x.extent(0));
  for (int d = 0; d < w.rank; ++d) {
    size[skip + d] = w.at[window_dims::size][d];
    place[skip + d] = y.extent(1 + d);
    extent[skip + d] = x.extent(1 + d);
    stride[skip + d] = w.at[window_dims::stride][d];
    low[skip + d] = w.at[window_dims::low][d];
    dilation[skip + d] = w.at[window_dims::dilation][d];
  }
  window_steps const sx(x), sy(y);
  for (std::int64_t p = 0; p < place[0]; ++p)
    for (std::int64_t q = 0; q < place[1]; ++q)
      for (std::int64_t r = 0; r < place[2]; ++r) {
        Taken taken;
        for (std::int64_t a = 0; a < size[0]; ++a) {
          std::int64_t const i = p * stride[0] + a * dilation[0] - low[0];
          if (i < 0 || i >= extent[0]) continue;
          for (std::int64_t b = 0; b < size[1]; ++b) {
            std::int64_t const j = q * stride[1] + b * dilation[1] - low[1];
            if (j < 0 || j >= extent[1]) continue;
            for (std::int64_t c = 0; c < size[2]; ++c) {
              std::int64_t const k = r * stride[2] + c * dilation[2] - low[2];
              if (k < 0 || k >= extent[2]) continue;
              T const* const from = x.elements + sx.at(i, j, k);
              A own[extreme_lanes]{};
              if (sx.lane == 1 && count == extreme_lanes)
                for (int l = 0; l < extreme_lanes; ++l) own[l] = static_cast<A>(from[l]);
              else
                for (int l = 0; l < count; ++l) own[l] = static_cast<A>(from[l * sx.lane]);
              taken.take(own, to.at(i, j, k));
            }
          }
        }
        found(sy.at(p, q, r), taken);
      }
}

// The working dimensions of operands and result: those that windows move along.
constexpr opaque_shape shape_of_extremes(rule_input const& in, bool places) {
  window_dims const w = in.attrs.as<window_dims>();
  opaque_shape shape;
  shape.panel = extreme_lanes;
  for (int i = 0; i < w.rank; ++i) {
    for (int k = 0; k < in.count; ++k) shape.operand[k].push_back(w.at[window_dims::dim][i]);
    shape.result[0].dims.push_back(w.at[window_dims::dim][i]);
    shape.result[0].extents.push_back(places ? w.places(i) : w.at[window_dims::extent][i]);
  }
  return shape;
}

template <bool Largest>
struct window_extreme_pick;
// (cotangent of each place, x) -> their sums at the elements of x.
template <bool Largest>
struct window_extreme_put : on_windows<window_extreme_put<Largest>, accepts::floats, 2> {
  static constexpr std::string_view name = Largest ? "window_max_put" : "window_min_put";
  static constexpr bool adds_windows = true;
  static constexpr opaque_shape shape(rule_input const& in) { return shape_of_extremes(in, false); }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> slopes, dense_view<T const> x,
                                   dense_view<T> sums) {
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    window_steps const own(sums), from(slopes);
    int const lanes = static_cast<int>(x.extent(0)), skip = 4 - sums.rank();
    std::int64_t extent[3]{1, 1, 1};
    for (int d = 1; d < sums.rank(); ++d) extent[skip + d - 1] = sums.extent(d);
    for (std::int64_t i = 0; i < extent[0]; ++i)
      for (std::int64_t j = 0; j < extent[1]; ++j)
        for (std::int64_t k = 0; k < extent[2]; ++k)
          for (int l = 0; l < lanes; ++l) sums.elements[own.at(i, j, k) + l * own.lane] = T{};
    using choices = choices_of_place<Largest, A>;
    each_place<choices>(call.attrs.as<window_dims>(), x, slopes, own, [&](std::int64_t place, choices const& chosen) {
      for (int l = 0; l < lanes; ++l) {
        if (chosen.at[l] < 0) continue;
        T& sum = sums.elements[chosen.at[l] + l * own.lane];
        sum = static_cast<T>(static_cast<A>(sum) + static_cast<A>(slopes.elements[place + l * from.lane]));
      }
    });
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<window_extreme_pick<Largest>>(back, {back.cotangent(), back.operand(1)}, back.attrs()));
  }
};
// (tangent of x, x) -> the tangent of each place.
template <bool Largest>
struct window_extreme_pick : on_windows<window_extreme_pick<Largest>, accepts::floats, 2> {
  static constexpr std::string_view name = Largest ? "window_max_pick" : "window_min_pick";
  static constexpr bool cuts_windows = true;
  static constexpr opaque_shape shape(rule_input const& in) { return shape_of_extremes(in, true); }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> tangents, dense_view<T const> x,
                                   dense_view<T> picked) {
    window_steps const from(tangents), to(picked);
    int const lanes = static_cast<int>(x.extent(0));
    using choices = choices_of_place<Largest, tessera::detail::compute_type<dtype_of<T>()>>;
    each_place<choices>(call.attrs.as<window_dims>(), x, picked, from, [&](std::int64_t place, choices const& chosen) {
      for (int l = 0; l < lanes; ++l)
        picked.elements[place + l * to.lane] = chosen.at[l] < 0 ? T{} : tangents.elements[chosen.at[l] + l * from.lane];
    });
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<window_extreme_put<Largest>>(back, {back.cotangent(), back.operand(1)}, back.attrs()));
  }
};

template <class Self, bool Largest>
struct window_extreme : on_windows<Self, accepts::any> {
  static constexpr bool cuts_windows = true;
  static constexpr opaque_shape shape(rule_input const& in) { return shape_of_extremes(in, true); }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> x, dense_view<T> extremes) {
    using found = extremes_of_place<Largest, tessera::detail::compute_type<dtype_of<T>()>>;
    window_steps const to(extremes);
    int const lanes = static_cast<int>(x.extent(0));
    each_place<found>(call.attrs.as<window_dims>(), x, extremes, to, [&](std::int64_t place, found const& extreme) {
      for (int l = 0; l < lanes; ++l) extremes.elements[place + l * to.lane] = static_cast<T>(extreme.value[l]);
    });
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<window_extreme_put<Largest>>(back, {back.cotangent(), back.operand(0)}, back.attrs()));
  }
};
struct window_max : window_extreme<window_max, true> {
  static constexpr std::string_view name = "window_max";
};
struct window_min : window_extreme<window_min, false> {
  static constexpr std::string_view name = "window_min";
};

}  // namespace ops
}  // namespace tessera
