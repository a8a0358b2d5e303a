// SPDX-License-Identifier: Apache-2.0
#pragma once
// Broadcast and permute: every operand dimension keeps its entry and goes to a dimension of the result.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _broadcast_in_dim_sharding_rule, _transpose_sharding_rule.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

// Operand dimension i is result dimension attrs.first[i]; the result has the extents attrs.second. attrs.out, when
// given, is the whole result's layout: new dimensions may be split by it.
constexpr verdict broadcast_in_dim(rule_input const& in) {
  array_value const& x = in[0];
  array_value out = x;
  out.rank = 0;
  out.extents = {};
  out.spec = {};
  for (auto extent : in.attrs.second) out.add_dim(extent);
  if (in.attrs.first.size() != x.rank) return refuse(reason::ranks_disagree, -1, {}, x.rank, in.attrs.first.size());
  for (int i = 0; i < x.rank; ++i) {
    auto const d = static_cast<int>(in.attrs.first[i]);
    if (d < 0 || d >= out.rank || (i > 0 && d <= in.attrs.first[i - 1]))
      return refuse(reason::dim_out_of_range, i, {}, d, out.rank);
    bool const known = x.extent(i) != dynamic && out.extent(d) != dynamic;
    if (known && x.extent(i) != 1 && x.extent(i) != out.extent(d))
      return refuse(reason::shapes_disagree, d, {}, x.extent(i), out.extent(d));
    out.entry(d) = x.entry(i);
  }
  if (in.attrs.has_out) return with_spec(out, in.attrs.out, in.mesh);
  return lawful(out, in.mesh);
}

// Result dimension i is operand dimension attrs.first[i].
constexpr verdict permute(rule_input const& in) {
  array_value const& x = in[0];
  array_value out = x;
  out.rank = 0;
  if (in.attrs.first.size() != x.rank) return refuse(reason::ranks_disagree, -1, {}, x.rank, in.attrs.first.size());
  std::uint32_t seen = 0;
  for (auto d : in.attrs.first) {
    if (d < 0 || d >= x.rank || ((seen >> d) & 1u)) return refuse(reason::dim_out_of_range, out.rank, {}, d, x.rank);
    seen |= 1u << d;
    out.add_dim(x.extent(static_cast<int>(d)), x.entry(static_cast<int>(d)));
  }
  return accept(out);
}

}  // namespace tessera::rule
