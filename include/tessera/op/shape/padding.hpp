// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows whose number a mesh axis does not divide: padded until it does, distinguished from the added rows, and removed
// again.
//   pad_to_multiple<0, dp>(x)   float32[10,4] -> float32[12,4] where dp has 4 devices: zeros after the last row
//   pad_to_multiple<0, 8>(x)    float32[10,4] -> float32[16,4]
//   valid_mask<0>(y, 10)        bool in y's shape and layout: true in the first 10 rows (a number or a scalar)
//   unpad<0>(y, x)              float32[12,4] -> float32[10,4]: as many rows as x has
// Added rows do not affect a result that is masked: where(valid_mask<0>(y, n), y, 0.0). Moves 0 bytes if the dimension
// is whole, otherwise as pad and slice. JAX users write this with jnp.pad, jnp.arange(n) < valid and x[:n].

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/pad.hpp>

namespace tessera {
namespace ops {

// A dimension, padded to a multiple of the devices along axes times a number.
struct padding_params {
  std::int64_t dim = 0, multiple = 1;
  axis_set axes{};
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.multiple, p.axes); }
};
struct pad_to_multiple {
  static constexpr std::string_view name = "pad_to_multiple";
  static constexpr op_class kind = op_class::pad;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const [dim, multiple, axes] = attrs.as<padding_params>();
    auto const d = static_cast<int>(dim < 0 ? dim + operand.rank : dim);
    if (d < 0 || d >= operand.rank)
      return b.template refuse<pad_to_multiple>(refuse(reason::dim_out_of_range, -1, {}, dim, operand.rank), operand);
    auto const n = operand.extent(d), parts = b.mesh().devices(axes);
    bool const known = n != dynamic && parts != dynamic;
    auto const step = known ? parts * multiple : 1;
    auto const more = known ? (step - n % step) % step : rule::unknown_padding;
    if (more == 0) return x[0];
    pad_params to;
    for (int i = 0; i < operand.rank; ++i) {
      to.low.push_back(0);
      to.high.push_back(i == d ? more : 0);
    }
    return make<pad>(b, {x[0], number(b, 0.0, operand.element)}, to);
  }
};

// (y, x) -> the first elements of y along the dimension, as many as x has.
struct unpad {
  static constexpr std::string_view name = "unpad";
  static constexpr op_class kind = op_class::slice;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const whole = x[0].facts(), like = x[1].facts();
    auto const dim = attrs.as<padding_params>().dim;
    auto const d = static_cast<int>(dim < 0 ? dim + whole.rank : dim);
    if (d < 0 || d >= whole.rank || like.rank != whole.rank)
      return b.template refuse<unpad>(refuse(reason::dim_out_of_range, -1, {}, dim, whole.rank), whole, like);
    return make<slice>(b, {x[0]}, slice_in_dim_params{d, 0, like.extent(d)});
  }
};

// (y, valid) -> bool: is the position along the dimension below `valid`?
struct valid_mask {
  static constexpr std::string_view name = "valid_mask";
  static constexpr op_class kind = op_class::iota;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const like = x[0].facts();
    auto const dim = attrs.as<padding_params>().dim, d = dim < 0 ? dim + like.rank : dim;
    if (d < 0 || d >= like.rank)
      return b.template refuse<valid_mask>(refuse(reason::dim_out_of_range, -1, {}, dim, like.rank), like);
    spec_value whole;
    whole.rank = like.rank;
    whole.entries = like.spec;
    attributes const rows{iota_params{dtype::int32, d, like.shape()}, whole};
    return make<less>(b, {make<iota>(b, {}, rows), x[1]});
  }
};

}  // namespace ops

template <int Dim, std::int64_t Multiple, Axis... A>
struct padded_to {
  static_assert(Multiple > 0, "tessera: pad_to_multiple of a number that is not positive. Fix: 1 or more.");
  template <Mesh M>
  static constexpr ops::padding_params on() {
    static_assert(
        ((M::template index<A> < M::rank) && ...),
        "tessera: pad_to_multiple: the array's mesh has no such axis. Fix: put the array onto the mesh first: "
        "device_put<P<>>(x, mesh).");
    return {Dim, Multiple, (axis_set{} | ... | axis_set::of(M::template index<A>))};
  }
};

namespace functions {

template <int Dim, Axis A, Axis... More, class X>
constexpr auto pad_to_multiple(X const& x, site at = std::source_location::current()) {
  return invoke<ops::pad_to_multiple, padded_to<Dim, 1, A, More...>>(at, x);
}
template <int Dim, std::int64_t Multiple, class X>
constexpr auto pad_to_multiple(X const& x, site at = std::source_location::current()) {
  return invoke<ops::pad_to_multiple, padded_to<Dim, Multiple>>(at, x);
}
template <int Dim, class Y, class X>
constexpr auto unpad(Y const& y, X const& x, site at = std::source_location::current()) {
  return invoke<ops::unpad, padded_to<Dim, 1>>(at, y, x);
}
template <int Dim, class Y, class N>
constexpr auto valid_mask(Y const& y, N const& valid, site at = std::source_location::current()) {
  return invoke<ops::valid_mask, padded_to<Dim, 1>>(at, y, valid);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
