// SPDX-License-Identifier: Apache-2.0
#pragma once
// conv(x, kernel, options...): lax.conv_general_dilated, a convolution over one to three spatial dimensions.
//   conv(x, k, same)   conv(x, k, strided<2, 2>, pads<1, 1, 1, 1>, dilated<2, 2>, groups<4>, nhwc, out_sharding<P<dp>>)
// x (n, c, spatial...), kernel (o, c / groups, spatial...) -> (n, o, spatial...); nhwc: x (n, spatial..., c), kernel
// (spatial..., c / groups, o). The padding is valid and strides are 1 by default; lhs_dilated<2, 2> puts zeros between
// the elements of x. The batch may be sharded, and spatial dimensions of x: for these the rows that windows reach come
// from the neighbors' blocks (window_dims.hpp: halo_of), or the dimension is gathered; a sharded kernel, or sharded
// features, need out_sharding. The convolution becomes windows of x and one dot_general, with its bytes and gradients;
// on the host both run as one step (plan/fuse/convolutions.hpp). Input features that are split on both sides
// leave partial sums; if they are split on one side, they do so if adding these up sends less than gathering them.
// Source: JAX 0.10.2 lax.conv_general_dilated; conformance (conv).

#include <tessera/op/window/conv.hpp>
#include <tessera/op/window/window_options.hpp>

namespace tessera {

template <std::int64_t N>
struct groups_t {};
template <std::int64_t N>
inline constexpr groups_t<N> groups{};
template <std::int64_t... N>
struct lhs_dilated_t {};
template <std::int64_t... N>
inline constexpr lhs_dilated_t<N...> lhs_dilated{};

namespace detail {
// Numbers for the spatial dimensions, the first ones of the list.
template <std::int64_t... N>
constexpr void fill_dims(extents_list& list) {
  static_assert(((N > 0) && ...) && sizeof...(N) <= 3, "tessera: one number of 1 and more for each spatial dimension.");
  int at = 0;
  ((list[at++] = N), ...);
}
}  // namespace detail

// Options in any order.
template <class... Options>
struct conv_options {
  template <Mesh M>
  static constexpr attributes on() {
    ops::conv_params asked;
    (take(asked, Options{}), ...);
    attributes attrs = asked;
    (lay_out<M>(attrs, Options{}), ...);
    return attrs;
  }

private:
  template <std::int64_t... N>
  static constexpr void take(ops::conv_params& asked, strides_t<N...>) {
    detail::fill_dims<N...>(asked.strides);
  }
  template <std::int64_t... N>
  static constexpr void take(ops::conv_params& asked, dilated_t<N...>) {
    detail::fill_dims<N...>(asked.dilations);
  }
  template <std::int64_t... N>
  static constexpr void take(ops::conv_params& asked, lhs_dilated_t<N...>) {
    detail::fill_dims<N...>(asked.lhs_dilations);
  }
  template <std::int64_t... N>
  static constexpr void take(ops::conv_params& asked, pads_t<N...>) {
    asked.pads = {N...};
    asked.padding = ops::window_padding::given;
  }
  template <std::int64_t N>
  static constexpr void take(ops::conv_params& asked, groups_t<N>) {
    asked.groups = N;
  }
  static constexpr void take(ops::conv_params& asked, same_t) { asked.padding = ops::window_padding::same; }
  static constexpr void take(ops::conv_params&, valid_t) {}
  static constexpr void take(ops::conv_params& asked, nhwc_t) { asked.nhwc = true; }
  static constexpr void take(ops::conv_params&, nchw_t) {}
  template <Spec S, Mesh M>
  static constexpr void take(ops::conv_params&, out_sharding_t<S, M>) {}

  template <Mesh M, class Option>
  static constexpr void lay_out(attributes&, Option) {}
  template <Mesh M, Spec S, Mesh Own>
  static constexpr void lay_out(attributes& attrs, out_sharding_t<S, Own>) {
    attrs.has_out = true;
    attrs.out = spec_value_of<M, S>;
  }
};

namespace functions {

template <class X, class K>
constexpr auto conv(X const& x, K const& kernel, site at = std::source_location::current()) {
  return invoke<ops::conv, conv_options<>>(at, x, kernel);
}
template <class X, class K, class A>
  requires std::is_empty_v<A>
constexpr auto conv(X const& x, K const& kernel, A, site at = std::source_location::current()) {
  return invoke<ops::conv, conv_options<A>>(at, x, kernel);
}
template <class X, class K, class A, class B>
  requires std::is_empty_v<B>
constexpr auto conv(X const& x, K const& kernel, A, B, site at = std::source_location::current()) {
  return invoke<ops::conv, conv_options<A, B>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C>
  requires std::is_empty_v<C>
constexpr auto conv(X const& x, K const& kernel, A, B, C, site at = std::source_location::current()) {
  return invoke<ops::conv, conv_options<A, B, C>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C, class D>
  requires std::is_empty_v<D>
constexpr auto conv(X const& x, K const& kernel, A, B, C, D, site at = std::source_location::current()) {
  return invoke<ops::conv, conv_options<A, B, C, D>>(at, x, kernel);
}
template <class X, class K, class A, class B, class C, class D, class E>
  requires std::is_empty_v<E>
constexpr auto conv(X const& x, K const& kernel, A, B, C, D, E, site at = std::source_location::current()) {
  return invoke<ops::conv, conv_options<A, B, C, D, E>>(at, x, kernel);
}

}  // namespace functions

}  // namespace tessera
