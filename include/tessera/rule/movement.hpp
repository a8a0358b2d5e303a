// SPDX-License-Identifier: Apache-2.0
#pragma once
// Broadcast and permute: every operand dimension keeps its entry and becomes a dimension of the result.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _broadcast_in_dim_sharding_rule, _transpose_sharding_rule.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

// Operand dimension i is result dimension dims[i]; the result has the extents `shape`. attrs.out, if given, is the
// layout of the whole result: new dimensions may be split by it.
constexpr verdict broadcast_in_dim(rule_input const& in) {
  array_value const& x = in[0];
  auto const& [dims, shape] = in.attrs.as<broadcast_params>();
  array_value out = x;
  out.rank = 0;
  out.extents = {};
  out.spec = {};
  for (auto extent : shape) out.add_dim(extent);
  if (dims.size() != x.rank) return refuse(reason::ranks_disagree, -1, {}, x.rank, dims.size());
  for (int i = 0; i < x.rank; ++i) {
    auto const d = static_cast<int>(dims[i]);
    if (d < 0 || d >= out.rank || (i > 0 && d <= dims[i - 1]))
      return refuse(reason::dim_out_of_range, i, {}, d, out.rank);
    bool const known = x.extent(i) != dynamic && out.extent(d) != dynamic;
    if (known && x.extent(i) != 1 && x.extent(i) != out.extent(d))
      return refuse(reason::shapes_disagree, d, {}, x.extent(i), out.extent(d));
    out.entry(d) = x.entry(i);
  }
  if (in.attrs.has_out) return with_spec(out, in.attrs.out, in.mesh);
  return lawful(out, in.mesh);
}

// Result dimension i is operand dimension order[i].
constexpr verdict permute(rule_input const& in) {
  array_value const& x = in[0];
  extents_list const& order = in.attrs.as<permute_params>().order;
  array_value out = x;
  out.rank = 0;
  if (order.size() != x.rank) return refuse(reason::ranks_disagree, -1, {}, x.rank, order.size());
  std::uint32_t seen = 0;
  for (auto d : order) {
    if (d < 0 || d >= x.rank || ((seen >> d) & 1u)) return refuse(reason::dim_out_of_range, out.rank, {}, d, x.rank);
    seen |= 1u << d;
    out.add_dim(x.extent(static_cast<int>(d)), x.entry(static_cast<int>(d)));
  }
  return accept(out);
}

}  // namespace tessera::rule
