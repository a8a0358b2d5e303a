// SPDX-License-Identifier: Apache-2.0
#pragma once
// fill_value: x.at(i).get(mode::fill, fill_value(0)), take<0>(x, i, fill_value(0)) read this number where an index is
// outside. As an operation it is the part of x, and a choice by the same part of flags, which are true outside. Bytes:
// those of the part of x.

#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/shape/broadcast_to.hpp>

namespace tessera {

template <class T>
struct fill_value {
  T value;
  constexpr explicit fill_value(T const& given) : value(given) {}
};

namespace ops {

// (x, indices..., value), for an Op (x, indices...) with parameters Params.
template <class Op, class Params>
struct filled {
  static constexpr std::string_view name = Op::name;
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    array_value const x = operands[0].facts();
    term value = operands[count - 1];
    if (value.facts().rank != 0)
      return b.template refuse<filled>(refuse(reason::ranks_disagree, -1, {}, value.facts().rank, 0), x, value.facts());
    term const y = make<Op>(b, operands, count - 1, attrs);
    if (!y || !attrs.as<Params>().mode.fill) return y;
    term flags[builder::max_operands]{nowhere(b, x, attrs.has_out)};
    for (int k = 1; k < count - 1; ++k) flags[k] = operands[k];
    term const outside = flags[0] ? make<Op>(b, flags, count - 1, attrs) : flags[0];
    if (!outside) return outside;
    if (value.facts().element != x.element) value = make<cast>(b, {value}, cast_params{x.element});
    return value ? make<where>(b, {detail::laid_out_as(b, outside, y.facts()), value, y}) : value;
  }

private:
  // False in the shape of x. It is whole where the result's layout is asked for, and so nothing is sent.
  template <class B>
  static constexpr term nowhere(B& b, array_value x, bool whole) {
    attributes to = broadcast_params{{}, x.shape()};
    to.has_out = x.rank > 0;
    if (whole) x.spec = {};
    x.unreduced = x.reduced = {};
    to.out = layout_of(x);
    return make<broadcast_to>(b, {number(b, 0.0, dtype::boolean)}, to);
  }
};

}  // namespace ops
}  // namespace tessera
