// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions remove the dimensions `dims`; the axes of removed dimensions leave the type. attrs.out, if given, is the
// result's layout; the sum over its unreduced axes stays pending.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _reduce_op_sharding_rule, _reduce_sum_unreduced_rule.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

constexpr verdict reduce(rule_input const& in) {
  array_value const& x = in[0];
  array_value out = x;
  out.rank = 0;
  out.extents = {};
  out.spec = {};
  axis_set removed, summed;
  for (auto d : in.attrs.as<reduce_params>().dims) {
    if (d < 0 || d >= x.rank || removed.contains(static_cast<int>(d)))
      return refuse(reason::dim_out_of_range, static_cast<int>(d), {}, d, x.rank);
    removed |= axis_set::of(static_cast<int>(d));
    summed |= x.entry(static_cast<int>(d)).axes();
  }
  for (int d = 0; d < x.rank; ++d)
    if (!removed.contains(d)) out.add_dim(x.extent(d), x.entry(d));
  if (!in.attrs.has_out) return accept(out);
  if (auto const odd = in.attrs.out.unreduced - (summed | x.unreduced); !odd.empty())
    return refuse(reason::unreduced_operand, -1, odd);
  verdict v = with_spec(out, in.attrs.out, in.mesh);
  if (v && v.result.unreduced.empty()) v.result.unreduced = x.unreduced;
  return v;
}

}  // namespace tessera::rule
