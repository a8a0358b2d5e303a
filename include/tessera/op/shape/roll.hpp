// SPDX-License-Identifier: Apache-2.0
#pragma once
// roll: x -> its elements moved by a number of places along dimensions, with elements that leave at the end coming back
// at the start; without a dimension, in row-major order.
//   roll<1, 0>(x)   roll<-2, -1>(x)   roll<3>(x)
// The layout stays. Bytes: along a sharded dimension the elements that cross the borders of blocks, at most one block;
// others move nothing. Source: JAX 0.10.2 jnp.roll. Differs: JAX cuts an Explicit array in two, whose extents the axes
// must divide.

#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

// The numbers of places and the dimensions; without one the array is flattened.
struct roll_params {
  extents_list shift{}, dims{};
  static constexpr void fields(auto& p, auto&& each) { each(p.shift, p.dims); }
};
// One dimension by a number of places between 0 and its extent, both excluded.
struct rotate_params {
  dimension dim = 0;
  std::int64_t places = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.places); }
};
struct rotate {
  static constexpr std::string_view name = "roll";
  static constexpr op_class kind = op_class::roll;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    rotate_params by = back.attrs().template as<rotate_params>();
    by.places = back.cotangent().facts().extent(static_cast<int>(by.dim)) - by.places;
    back.give(0, make<rotate>(back, {back.cotangent()}, by));
  }
};
struct roll {
  static constexpr std::string_view name = "roll";
  static constexpr op_class kind = op_class::roll;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const [shift, dims] = attrs.as<roll_params>();
    term result = x[0];
    if (dims.empty() && operand.rank != 1) {
      attributes back = reshape_params{operand.shape()};
      // Only rows are split: they were before and are again, whatever the extents.
      back.has_out = operand.sharded_axes() == operand.entry(0).axes() && operand.unreduced.empty();
      back.out = layout_of(operand);
      result = make<reshape>(b, {result}, reshape_params{{dynamic}});
      result = result ? along(b, result, 0, shift[0]) : result;
      return result ? make<reshape>(b, {result}, back) : result;
    }
    if (dims.empty()) return along(b, result, 0, shift[0]);
    for (int k = 0; k < dims.size(); ++k) {
      auto const d = static_cast<int>(dims[k] < 0 ? dims[k] + operand.rank : dims[k]);
      if (d < 0 || d >= operand.rank)
        return b.template refuse<roll>(refuse(reason::dim_out_of_range, -1, {}, dims[k], operand.rank), operand);
      result = along(b, result, d, shift[k]);
      if (!result) return result;
    }
    return result;
  }

private:
  template <class B>
  static constexpr term along(B& b, term x, int d, std::int64_t shift) {
    array_value const facts = x.facts();
    auto const n = facts.extent(d);
    if (n == 0 || n == 1 || shift == 0) return x;
    if (n != dynamic) {
      auto const places = ((shift % n) + n) % n;
      return places == 0 ? x : b.template emit<rotate>({x}, rotate_params{d, places});
    }
    auto const whole = detail::with_whole_dims(b, x, axis_set::of(d));
    term const ends[]{make<slice>(b, {whole}, slice_in_dim_params{d, dynamic, n}),
                      make<slice>(b, {whole}, slice_in_dim_params{d, 0, dynamic})};
    return detail::laid_out_as(b, make<concatenate>(b, ends, 2, concatenate_params{d}), facts);
  }
};

}  // namespace ops

template <std::int64_t Shift, int... Dims>
struct rolled_by {
  template <Mesh M>
  static constexpr ops::roll_params on() {
    ops::roll_params by{{Shift}, extents_list{Dims...}};
    while (by.shift.size() < by.dims.size()) by.shift.push_back(Shift);
    return by;
  }
};
namespace functions {

// By the same number of places along each of Dims.
template <std::int64_t Shift, int... Dims, class X>
constexpr auto roll(X const& x, site at = std::source_location::current()) {
  return invoke<ops::roll, rolled_by<Shift, Dims...>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
