// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elementwise operations: shapes broadcast as in numpy, specs are merged per dimension.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, broadcasting_sharding_rule; conformance surprise 1.

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

// How an op handles operands that are partial sums over some axes (`unreduced`).
enum class partial_sums : std::uint8_t {
  refused,
  added,   // x + y: all of them partial sums over the same axes
  scaled,  // x * y: one is a partial sum, the other is `reduced` over the same axes
  any,     // only shapes are checked
};

namespace detail {

// Sets the `unreduced` and `reduced` axes of the result in `joint`.
constexpr verdict join_partial_sums(rule_input const& in, partial_sums how, array_value& joint) {
  // Beside an operand that varies over an axis, an operand that is reduced over it counts as varying, too.
  auto const done = [&](array_value const& x) { return x.reduced - joint.varying; };
  int shaped = -1;  // the first operand that is not a scalar: scalars may be `reduced` over anything
  int holder = -1;  // the operand that is a partial sum
  for (int i = 0; i < in.count; ++i) {
    array_value const& x = in[i];
    verdict v;
    v.operand = i;
    if (!x.unreduced.empty() && (how == partial_sums::refused || (how == partial_sums::scaled && holder >= 0)))
      v.why = reason::unreduced_operand;
    if (how == partial_sums::added && !(x.unreduced == in[0].unreduced)) v.why = reason::unreduced_operand;
    if (!x.unreduced.empty()) holder = i;
    if (how != partial_sums::scaled && how != partial_sums::any && x.rank > 0 && shaped >= 0 &&
        !(done(x) == done(in[shaped])))
      v.why = reason::unreduced_operand;
    if (x.rank > 0 && shaped < 0) shaped = i;
    v.axes = x.unreduced | x.reduced;
    if (!v) return v;
    joint.unreduced |= x.unreduced;
    joint.reduced |= done(x);
  }
  for (int i = 0; i < in.count && how == partial_sums::scaled; ++i) {
    bool const factor = holder >= 0 && i != holder;
    if (factor ? done(in[i]) == joint.unreduced : in[i].rank == 0 || i == holder || done(in[i]) == joint.reduced)
      continue;
    verdict v = refuse(reason::unreduced_operand, -1, joint.unreduced | joint.reduced);
    v.operand = i;
    return v;
  }
  joint.reduced = joint.reduced - joint.unreduced;
  return {};
}

}  // namespace detail

namespace detail {
// The operand of highest rank, if all others have its extents and entries or rank 0, and none is unreduced or reduced;
// else null.
constexpr array_value const* alike(rule_input const& in) {
  array_value const* full = in.operands[0];
  for (int i = 0; i < in.count; ++i) {
    array_value const& x = *in.operands[i];
    if (x.unreduced.bits | x.reduced.bits) return nullptr;
    if (x.rank == 0) continue;
    if (full->rank == 0) full = &x;
    if (full != &x && !(x.same_shape(*full) && x.same_spec(*full))) return nullptr;
  }
  return full;
}
}  // namespace detail

// The joint facts of all operands. A named entry takes precedence over an unsharded dimension; two different names
// conflict; an unsharded dimension of size 1 fits any other. Scalars of rank 0 fit any shape. The dtype is the first
// operand's.
constexpr verdict broadcast(rule_input const& in, partial_sums how = partial_sums::refused) {
  array_value joint;
  joint.element = in[0].element;
  joint.weak = true;
  for (int i = 0; i < in.count; ++i) {
    array_value const& x = *in.operands[i];
    if (x.rank > joint.rank) joint.rank = x.rank;
    joint.weak = joint.weak && x.weak;
    joint.varying.bits |= x.varying.bits;
  }
  if (array_value const* const full = detail::alike(in)) {
    joint.extents = full->extents;
    joint.spec = full->spec;
    return accept(joint);
  }
  if (verdict v = detail::join_partial_sums(in, how, joint); !v) return v;
  for (int d = 0; d < joint.rank; ++d) {
    std::int64_t extent = 1;
    entry_value entry;
    for (int i = 0; i < in.count; ++i) {
      int const own = d - (joint.rank - in[i].rank);
      if (own < 0) continue;
      auto const size = in[i].extent(own);
      if (size != 1 && size != extent) {
        if (extent != 1 && extent != dynamic && size != dynamic) {
          verdict v = refuse(reason::shapes_disagree, d, {}, extent, size);
          v.operand = i;
          return v;
        }
        if (extent == 1 || size != dynamic) extent = size;  // if one size is unknown, both are compared at run time
      }
      if (auto const named = in[i].entry(own); !named.empty()) {
        if (!entry.empty() && !(entry == named)) {
          verdict v = refuse(reason::dims_disagree, d, entry.axes() | named.axes());
          v.operand = i;
          return v;
        }
        entry = named;
      }
    }
    joint.extent(d) = extent;
    joint.entry(d) = entry;
  }
  if (how != partial_sums::any) return lawful(joint, in.mesh);
  array_value finished = joint;
  finished.unreduced = {};  // the op decides about partial sums
  verdict v = lawful(finished, in.mesh);
  v.result.unreduced = joint.unreduced;
  return v;
}

}  // namespace tessera::rule
