// SPDX-License-Identifier: Apache-2.0
#pragma once
// Select: a mask and two values of equal shape and equal layout; scalars fit any shape.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _select_sharding_rule; conformance surprise 2.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

constexpr verdict select(rule_input const& in) {
  if (in[0].element != dtype::boolean) return refuse(reason::element_unsupported, 0);
  if (in[1].element != in[2].element) return refuse(reason::elements_disagree);
  array_value out;
  out.element = in[1].element;
  out.weak = in[1].weak && in[2].weak;
  out.unreduced = in[1].unreduced;
  bool shaped = false;
  for (int i = 0; i < 3; ++i) {
    array_value const& x = in[i];
    out.varying |= x.varying;
    verdict v;
    if (!(x.unreduced == (i == 0 ? axis_set{} : in[1].unreduced)))
      v = refuse(reason::unreduced_operand, -1, x.unreduced | in[1].unreduced);
    else if (x.rank > 0 && shaped && x.rank != out.rank)
      v = refuse(reason::ranks_disagree, -1, {}, out.rank, x.rank);
    else
      for (int d = 0; d < x.rank && shaped && v; ++d) {
        if (x.extent(d) != out.extent(d) && x.extent(d) != dynamic && out.extent(d) != dynamic)
          v = refuse(reason::shapes_disagree, d, {}, out.extent(d), x.extent(d));
        else if (!(x.entry(d) == out.entry(d)))
          v = refuse(reason::dims_disagree, d, x.entry(d).axes() | out.entry(d).axes());
      }
    if (!v) {
      v.operand = i;
      return v;
    }
    for (int d = 0; d < x.rank; ++d) {
      if (!shaped)
        out.add_dim(x.extent(d), x.entry(d));
      else if (out.extent(d) == dynamic)
        out.extent(d) = x.extent(d);
    }
    shaped = shaped || x.rank > 0;
  }
  return accept(out);
}

}  // namespace tessera::rule
