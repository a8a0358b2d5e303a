// SPDX-License-Identifier: Apache-2.0
#pragma once
// What belongs to a convolution, with x, kernel and options as conv has them:
//   conv_transpose(x, k, strided<2, 2>, same): a convolution of x with strides of zeros between its elements: x
//     (n, c, spatial...), kernel (o, c, spatial...) -> (n, o, spatial...), about strides times as large. Options in any
//     order: strided, same or valid (the padding of the convolution that it reverses; by default valid), pads<1, 2> (of
//     its own), dilated, nhwc, out_sharding, transposed_kernel: the kernel of that convolution, (c, o, spatial...)
//   conv_general_dilated_patches(x, window<3, 3>, strided<2, 2>, same): x (n, c, spatial...) -> (n, c 3 3, places...), the
//     elements of each window as features, those of one channel together. Options: strided, same, valid, pads, dilated,
//     lhs_dilated, nhwc (x (n, spatial..., c) -> (n, places..., c 3 3))
// Layouts and bytes of conv_transpose are those of conv. The patches keep the layout of batch, channels and spatial
// dimensions; a split spatial dimension sends what windows reach of neighbors, or is gathered (window_dims.hpp: halo_of).
// Source: JAX 0.10.2 lax.conv_transpose, lax.conv_general_dilated_patches. Differs: the order of dimensions is conv's, where
// conv_transpose of JAX takes (n, spatial..., c) and a kernel (spatial..., c, o) by default.

#include <tessera/functions/arranging.hpp>
#include <tessera/op/window/convolution.hpp>

namespace tessera {

struct transposed_kernel_t {};
inline constexpr transposed_kernel_t transposed_kernel{};  // of conv_transpose

namespace ops {

struct patch_params {
  extents_list window{}, strides{1, 1, 1}, dilations{1, 1, 1}, pads{};
  window_padding padding = window_padding::valid;
  static constexpr void fields(auto& p, auto&& each) { each(p.window, p.strides, p.dilations, p.pads, p.padding); }
};
// (n, c, spatial...) -> (n, c times the window, places...)
struct conv_patches {
  static constexpr std::string_view name = "conv_general_dilated_patches";
  static constexpr op_class kind = op_class::dot;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    array_value const x = operand[0].facts();
    auto const asked = attrs.as<patch_params>();
    int const spatial = x.rank - 2;
    if (spatial < 1 || spatial > 3 || asked.window.size() != spatial)
      return b.template refuse<conv_patches>(refuse(reason::ranks_disagree, -1, {}, x.rank, asked.window.size() + 2),
                                             x);
    if (!x.unreduced.empty())
      return b.template refuse<conv_patches>(refuse(reason::unreduced_operand, -1, x.unreduced), x);
    window_dims w;
    w.rank = spatial;
    w.before = true;
    std::int64_t features = x.extent(1);
    for (int i = 0; i < spatial; ++i) {
      w.at[window_dims::size][i] = asked.window[i];
      w.at[window_dims::stride][i] = asked.strides[i];
      w.at[window_dims::dilation][i] = asked.dilations[i];
      w.at[window_dims::dim][i] = 2 + i;
      w.at[window_dims::extent][i] = x.extent(2 + i);
      features = features == dynamic ? dynamic : features * asked.window[i];
    }
    pad_window(w, asked.padding, asked.pads);
    array_value out = x, whole = x;
    out.extent(1) = features;
    for (int i = 0; i < spatial; ++i) {
      out.extent(2 + i) = w.places(i);
      if (!halo_of(w, i, x.entry(2 + i), b.mesh()).possible) whole.entry(2 + i) = {};
    }
    if (verdict const even = rule::divides(out, b.mesh()); !even) return b.template refuse<conv_patches>(even, x);
    auto const patches =
        make<window_patches>(b, {tessera::detail::laid_out_as(b, operand[0], whole)}, w.filled_with(0));
    if (!patches) return patches;
    array_value made = out;
    for (int i = 0; i < spatial; ++i) made.entry(2 + i) = whole.entry(2 + i);
    auto const shaped = make<reshape>(b, {patches}, {reshape_params{made.shape()}, layout_of(made)});
    return shaped ? tessera::detail::laid_out_as(b, shaped, out) : shaped;
  }
};

}  // namespace ops

namespace detail {

// What options say of a transposed convolution.
struct transposed_conv {
  extents_list strides{1, 1, 1}, dilations{1, 1, 1}, pads{};
  ops::window_padding padding = ops::window_padding::valid;
  bool nhwc = false, turned = false;

  template <class... O>
  static constexpr transposed_conv of() {
    transposed_conv asked;
    (asked.take(O{}), ...);
    return asked;
  }
  // Before and behind a spatial dimension, of a kernel of this extent.
  constexpr std::int64_t pad(int i, bool behind, std::int64_t extent) const {
    using how = ops::window_padding;
    std::int64_t const s = strides[i], k = (extent - 1) * dilations[i] + 1;
    if (padding == how::given) return pads[2 * i + (behind ? 1 : 0)];
    std::int64_t const both = k + s - 2 + (padding == how::valid && k > s ? k - s : 0);
    std::int64_t const low = padding == how::valid || s > k - 1 ? k - 1 : (both + 1) / 2;
    return behind ? both - low : low;
  }

private:
  template <std::int64_t... N>
  constexpr void take(strides_t<N...>) {
    fill_dims<N...>(strides);
  }
  template <std::int64_t... N>
  constexpr void take(dilated_t<N...>) {
    fill_dims<N...>(dilations);
  }
  template <std::int64_t... N>
  constexpr void take(pads_t<N...>) {
    pads = {N...};
    padding = ops::window_padding::given;
  }
  constexpr void take(same_t) { padding = ops::window_padding::same; }
  constexpr void take(valid_t) { padding = ops::window_padding::valid; }
  constexpr void take(nhwc_t) { nhwc = true; }
  constexpr void take(nchw_t) {}
  constexpr void take(transposed_kernel_t) { turned = true; }
  template <Spec S, Mesh M>
  constexpr void take(out_sharding_t<S, M>) {}
};

template <class O>
inline constexpr bool lays_out = false;
template <Spec S, Mesh M>
inline constexpr bool lays_out<out_sharding_t<S, M>> = true;

// Window, and the options of conv.
template <class Window, class... O>
struct patch_options;
template <std::int64_t... N, class... O>
struct patch_options<window_t<N...>, O...> {
  static constexpr ops::conv_params asked = conv_options<O...>::template on<no_mesh>().template as<ops::conv_params>();
  template <Mesh M>
  static constexpr ops::patch_params on() {
    return {extents_list{N...}, asked.strides, asked.dilations, asked.pads, asked.padding};
  }
};

}  // namespace detail

namespace detail::bodies {

template <class... O>
struct conv_transpose {
  template <class X, class K>
  constexpr auto operator()(X const& x, K const& given) const {
    constexpr int spatial = extents_of<X>.size() - 2;
    if constexpr (spatial < 1 || spatial > 3 || extents_of<K>.size() != spatial + 2)
      return refused_call<call_fault::spatial_dimensions>(x, given);
    else if constexpr (asked.padding == ops::window_padding::given && asked.pads.size() != 2 * spatial)
      return refused_call<call_fault::pads_miscounted>(x, given);
    else
      return of<spatial>(x, given);
  }

private:
  template <int spatial, class X, class K>
  static constexpr auto of(X const& x, K const& given) {
    auto const k = [&] {
      if constexpr (asked.turned)
        return turned(given, std::make_integer_sequence<int, spatial>{});
      else
        return given;
    }();
    return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
      constexpr auto spread = lhs_dilated<asked.strides[I]...>;
      constexpr auto reach = dilated<asked.dilations[I]...>;
      constexpr auto around =
          pads<asked.pad(static_cast<int>(J / 2), J % 2 == 1, extents_of<K>[first + static_cast<int>(J / 2)])...>;
      constexpr std::conditional_t<asked.nhwc, nhwc_t, valid_t> order{};
      if constexpr ((lays_out<O> || ...))
        return conv(x, k, spread, reach, around, order, layout_among(O{}...));
      else
        return conv(x, k, spread, reach, around, order);
    }
    (std::make_index_sequence<spatial>{}, std::make_index_sequence<2 * spatial>{});
  }

  static constexpr transposed_conv asked = transposed_conv::of<O...>();
  static constexpr int first = asked.nhwc ? 0 : 2;

  template <int... D>
  static constexpr auto turned(auto const& k, std::integer_sequence<int, D...>) {
    constexpr int features = asked.nhwc ? -2 : 0, other = asked.nhwc ? -1 : 1;
    return flip<(first + D)...>(swapaxes<features, other>(k));
  }
  template <class One, class... Rest>
  static constexpr auto layout_among(One one, Rest... rest) {
    if constexpr (lays_out<One>)
      return one;
    else
      return layout_among(rest...);
  }
};

template <class Window, class... O>
struct conv_patches {
  template <class X>
  constexpr auto operator()(X const& given) const {
    constexpr int spatial = extents_of<X>.size() - 2;
    if constexpr (spatial < 1 || spatial > 3)
      return refused_call<call_fault::spatial_dimensions>(given);
    else
      return of<spatial>(given);
  }

private:
  template <int spatial>
  static constexpr auto of(auto const& given) {
    auto const x = [&] {
      if constexpr (last)
        return moveaxis<-1, 1>(given);
      else
        return given;
    }();
    auto const spread = [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (((asked.lhs_dilations[I] > 1) || ...))
        return pad(x, 0, low<0>, high<0>, interior<0, 0, (asked.lhs_dilations[I] - 1)...>);
      else
        return x;
    }
    (std::make_index_sequence<spatial>{});
    auto const patches = invoke<ops::conv_patches, patch_options<Window, O...>>(site{}, spread);
    if constexpr (last)
      return moveaxis<1, -1>(patches);
    else
      return patches;
  }

  static constexpr ops::conv_params asked = patch_options<Window, O...>::asked;
  static constexpr bool last = asked.nhwc;
  static_assert(!(lays_out<O> || ...), "tessera: patches keep the layout of x. Fix: reshard what the call returns.");
};

}  // namespace detail::bodies

namespace functions {

template <class X, class K>
constexpr auto conv_transpose(X const& x, K const& kernel, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<>>(at, x, kernel);
}
template <class X, class K, class A>
  requires std::is_empty_v<A>
constexpr auto conv_transpose(X const& x, K const& kernel, A, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<A>>(at, x, kernel);
}
template <class X, class K, class A, class B>
  requires std::is_empty_v<B>
constexpr auto conv_transpose(X const& x, K const& kernel, A, B, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<A, B>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C>
  requires std::is_empty_v<C>
constexpr auto conv_transpose(X const& x, K const& kernel, A, B, C, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<A, B, C>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C, class D>
  requires std::is_empty_v<D>
constexpr auto conv_transpose(X const& x, K const& kernel, A, B, C, D, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<A, B, C, D>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C, class D, class E>
  requires std::is_empty_v<E>
constexpr auto conv_transpose(X const& x, K const& kernel, A, B, C, D, E, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<A, B, C, D, E>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C, class D, class E, class F>
  requires std::is_empty_v<F>
constexpr auto conv_transpose(X const& x, K const& kernel, A, B, C, D, E, F,
                              site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_transpose<A, B, C, D, E, F>>(at, x, kernel);
}
template <class X, std::int64_t... N>
constexpr auto conv_general_dilated_patches(X const& x, window_t<N...>, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_patches<window_t<N...>>>(at, x);
}
template <class X, std::int64_t... N, class A>
  requires std::is_empty_v<A>
constexpr auto conv_general_dilated_patches(X const& x, window_t<N...>, A, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_patches<window_t<N...>, A>>(at, x);
}
template <class X, std::int64_t... N, class A, class B>
  requires std::is_empty_v<B>
constexpr auto conv_general_dilated_patches(X const& x, window_t<N...>, A, B,
                                            site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_patches<window_t<N...>, A, B>>(at, x);
}
template <class X, std::int64_t... N, class A, class B, class C>
  requires std::is_empty_v<C>
constexpr auto conv_general_dilated_patches(X const& x, window_t<N...>, A, B, C,
                                            site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_patches<window_t<N...>, A, B, C>>(at, x);
}
template <class X, std::int64_t... N, class A, class B, class C, class D>
  requires std::is_empty_v<D>
constexpr auto conv_general_dilated_patches(X const& x, window_t<N...>, A, B, C, D,
                                            site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_patches<window_t<N...>, A, B, C, D>>(at, x);
}
template <class X, std::int64_t... N, class A, class B, class C, class D, class E>
  requires std::is_empty_v<E>
constexpr auto conv_general_dilated_patches(X const& x, window_t<N...>, A, B, C, D, E,
                                            site at = std::source_location::current()) {
  return detail::composed<detail::bodies::conv_patches<window_t<N...>, A, B, C, D, E>>(at, x);
}

}  // namespace functions
}  // namespace tessera
