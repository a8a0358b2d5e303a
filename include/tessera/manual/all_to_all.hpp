// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_to_all<dp>(x, split_dim<0>, concat_dim<1>, tiled): each device splits its block along one dimension, sends part i
// to device i, and joins the parts that it receives along another. Untiled: the split dimension has one element for
// each device and is removed, and the received parts are stacked along a new dimension.
// pswapaxes<dp>(x, dim<1>): the dimension, with one element for each device, changes places with the devices.
// Block {V} -> {V and dp}. Bytes a device sends: ceil((n - 1) B / n). Transpose: all_to_all, dimensions exchanged.
// Source: JAX 0.10.2 lax.all_to_all.

#include <tessera/manual/all_gather.hpp>

#include <utility>

namespace tessera {

template <int D>
struct split_t {};
template <int D>
inline constexpr split_t<D> split_dim{};
template <int D>
struct concat_t {};
template <int D>
inline constexpr concat_t<D> concat_dim{};

namespace ops {

// Along `order`; `dim` is split, concat_dim grows.
struct all_to_all : along_dimensions<all_to_all> {
  static constexpr std::string_view name = "all_to_all";
  static constexpr collective message = collective::all_to_all;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::all_to_all); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    collective_params along = back.attrs().template as<collective_params>();
    std::swap(along.dim, along.concat_dim);
    back.give(0, make<all_to_all>(back, {back.cotangent()}, along));
  }
};

struct all_to_all_stacked {
  static constexpr std::string_view name = all_to_all::name;
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& given) {
    array_value const operand = x[0].facts();
    collective_params along = detail::counted_from_front(given.as<collective_params>(), operand.rank);
    auto const split = along.dim, concat = along.concat_dim;
    if (split < 0 || split >= operand.rank)
      return b.template refuse<all_to_all_stacked>(
          refuse(reason::dim_out_of_range, static_cast<int>(split), {}, split, operand.rank), operand);
    auto const devices = rule::sharers(b.mesh(), along);
    if (operand.extent(static_cast<int>(split)) != devices)
      return b.template refuse<all_to_all_stacked>(
          refuse(reason::not_one_per_device, static_cast<int>(split), along.order.axes(),
                 operand.extent(static_cast<int>(split)), devices),
          operand);
    // The new dimension gets position `concat` after the split one is removed.
    along.dim = concat <= split ? split + 1 : split;
    along.concat_dim = concat <= split ? concat : concat + 1;
    auto const wide = make<expand_dims>(b, {x[0]}, expand_dims_params{{along.concat_dim}});
    if (!wide) return wide;
    auto const sent = make<all_to_all>(b, {wide}, along);
    return sent ? make<squeeze>(b, {sent}, squeeze_params{{along.dim}}) : sent;
  }
};

}  // namespace ops

namespace functions {

template <Axis... A, class X, int Split, int Concat>
constexpr auto all_to_all(X const& x, split_t<Split>, concat_t<Concat>, site at = std::source_location::current()) {
  return invoke<ops::all_to_all_stacked, joined_along<joined_axes<A...>, Split, Concat>>(at, x);
}
template <Axis... A, class X, int Split, int Concat>
constexpr auto all_to_all(X const& x, split_t<Split>, concat_t<Concat>, tiled_t,
                          site at = std::source_location::current()) {
  return invoke<ops::all_to_all, joined_along<joined_axes<A...>, Split, Concat>>(at, x);
}
template <Axis... A, class X, int D>
constexpr auto pswapaxes(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return invoke<ops::all_to_all_stacked, joined_along<joined_axes<A...>, D, D>>(at, x);
}

}  // namespace functions

}  // namespace tessera
