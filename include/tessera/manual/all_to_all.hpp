// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_to_all<dp>(x, split_dim<0>, concat_dim<1>, tiled): each device splits its block along one dimension, sends part i to device
// i, and joins what it receives along another. Untiled: the split dimension has one element a device and goes, and what
// is received is stacked along a new dimension.
// pswapaxes<dp>(x, dim<1>): the dimension, one element a device, changes places with the devices.
// Block {V} -> {V and dp}. Bytes a device sends: ceil((n - 1) B / n). Transpose: all_to_all, dimensions exchanged.
// Source: JAX 0.10.2 lax.all_to_all.

#include <tessera/manual/all_gather.hpp>

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

// attrs.out[0]: axes; attrs.first: the dimension that is split, the one that grows.
struct all_to_all : along_dimensions<all_to_all> {
  static constexpr std::string_view name = "all_to_all";
  static constexpr collective message = collective::all_to_all;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::all_to_all); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes attrs = back.attrs();
    attrs.first = {attrs.first[1], attrs.first[0]};
    back.give(0, back.template make<all_to_all>({back.cotangent()}, attrs));
  }
};

struct all_to_all_stacked {
  static constexpr std::string_view name = all_to_all::name;
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& given) {
    array_value const operand = x[0].facts();
    attributes const attrs = detail::counted_from_front(given, operand.rank);
    auto const split = attrs.first[0], concat = attrs.first[1];
    if (split < 0 || split >= operand.rank)
      return b.template refuse<all_to_all_stacked>(
          refuse(reason::dim_out_of_range, static_cast<int>(split), {}, split, operand.rank), operand);
    auto const devices = rule::sharers(b.mesh(), attrs);
    if (operand.extent(static_cast<int>(split)) != devices)
      return b.template refuse<all_to_all_stacked>(
          refuse(reason::not_one_per_device, static_cast<int>(split), attrs.out[0].axes(),
                 operand.extent(static_cast<int>(split)), devices),
          operand);
    // The new dimension stands where, once the split one is gone, it is number `concat`.
    attributes fresh, along = attrs, gone;
    fresh.first = {concat <= split ? concat : concat + 1};
    term const wide = b.template make<expand_dims>({x[0]}, fresh);
    if (!wide) return wide;
    along.first = {concat <= split ? split + 1 : split, fresh.first[0]};
    term const sent = b.template make<all_to_all>({wide}, along);
    gone.first = {along.first[0]};
    return sent ? b.template make<squeeze>({sent}, gone) : sent;
  }
};

}  // namespace ops

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

}  // namespace tessera
