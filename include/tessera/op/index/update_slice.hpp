// SPDX-License-Identifier: Apache-2.0
#pragma once
// update_slice: (x, part) -> x with part written at a start. Both have the same layout.
//   update_slice(x, part, starts<0, 2>)
// Bytes: of dimensions that part does not fill and that are sharded, part is gathered, or x: what sends less.
// Source: JAX 0.10.2 lax.dynamic_update_slice. Differs: a start outside is refused (JAX moves it inside).

#include <tessera/op/index/slice.hpp>

namespace tessera {
namespace ops {

struct update_slice {
  static constexpr std::string_view name = "update_slice";
  static constexpr op_class kind = op_class::update_slice;
  static constexpr verdict rule(rule_input const& in) { return rule::update_slice(in); }

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    term x[]{operands[0], operands[1]};
    array_value const whole = x[0].facts(), part = x[1].facts();
    if (part.weak && part.element != whole.element) {
      x[1] = make<cast>(b, {x[1]}, cast_params{whole.element});
      if (!x[1]) return x[1];
    }
    return b.template emit<update_slice>(x, 2, attrs);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const part = back.operand(1).facts();
    attributes const forward = back.attrs();
    if (back.wants(0)) {
      attributes wide = broadcast_params{{}, part.shape()};
      wide.has_out = part.rank > 0;
      wide.out = layout_of(part);
      wide.out.unreduced = back.cotangent().facts().unreduced;
      auto const none = make<broadcast_to>(back, {number(back.graph(), 0.0, back.cotangent().facts().element)}, wide);
      if (none) back.give(0, make<update_slice>(back, {back.cotangent(), none}, forward));
    }
    if (back.wants(1)) {
      extents_list const start = forward.as<update_slice_params>().start;
      slice_params taken{start, {}, {}};
      for (int d = 0; d < part.rank; ++d)
        taken.limit.push_back(part.extent(d) == dynamic ? dynamic : start[d] + part.extent(d));
      back.give(1, make<slice>(back, {back.cotangent()}, taken));
    }
  }
};

}  // namespace ops

template <std::int64_t... Start>
struct written_at {
  template <Mesh M>
  static constexpr update_slice_params on() {
    return {extents_list{Start...}};
  }
};

namespace functions {

template <class X, class Y, std::int64_t... Start>
constexpr auto update_slice(X const& x, Y const& part, starts_t<Start...>, site at = std::source_location::current()) {
  return invoke<ops::update_slice, written_at<Start...>>(at, x, part);
}

}  // namespace functions

}  // namespace tessera
