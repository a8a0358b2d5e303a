// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would make a refused operation lawful: one operand in another layout, or a finished sum; and its bytes.

#include <tessera/rule/bytes.hpp>
#include <tessera/rule/spec.hpp>
#include <tessera/rule/verdict.hpp>

namespace tessera::error {

struct repair {
  int which = -1;  // the operand to reshard, -1: there is none
  array_value layout{};
  std::int64_t bytes = 0;  // per device, at most; 0: nothing, or not known yet
  // Of a sum that needs out_sharding: `layout` is the result's with all of it on each device, `shares` with a share.
  bool whole_sum = false, shared_sum = false;
  array_value shares{};
};

namespace detail {

constexpr repair relayout(int operand, array_value const& x, array_value const& to, mesh_value const& mesh) {
  return {operand, to, rule::relayout_bytes(x, to, mesh)};
}

// x with `entry` at dimension d, and with its axes nowhere else.
constexpr array_value with_entry(array_value x, int d, entry_value entry) {
  for (int i = 0; i < x.rank; ++i) x.entry(i) = without(x.entry(i), entry.axes());
  if (d >= 0 && d < x.rank) x.entry(d) = entry;
  return x;
}
constexpr array_value without_axes(array_value x, axis_set axes) {
  for (int i = 0; i < x.rank; ++i) x.entry(i) = without(x.entry(i), axes);
  return x;
}

constexpr repair agree(verdict const& v, array_value const& l, array_value const& r, int right,
                       mesh_value const& mesh) {
  int const shift = r.rank - l.rank;
  bool const paired = v.rhs_dim >= 0 && v.lhs_dim >= 0 && v.lhs_dim < l.rank && v.rhs_dim < r.rank;
  // Then one whole side is enough; else both get one entry.
  bool const contracted = paired && !v.one_entry && v.lhs_dim != v.rhs_dim;
  array_value const new_right = contracted ? with_entry(r, v.rhs_dim, {})
                                : paired   ? with_entry(r, v.rhs_dim, l.entry(v.lhs_dim))
                                           : rule::laid_out_like(r, l, -shift);
  array_value const new_left = contracted ? with_entry(l, v.lhs_dim, {})
                               : paired   ? with_entry(l, v.lhs_dim, r.entry(v.rhs_dim))
                                          : rule::laid_out_like(l, r, shift);
  repair const by_right = relayout(right, r, new_right, mesh), by_left = relayout(0, l, new_left, mesh);
  bool const left_changes = !(new_left == l), right_changes = !(new_right == r);
  if (!left_changes && !right_changes) return {};
  return left_changes && (!right_changes || by_left.bytes < by_right.bytes) ? by_left : by_right;
}

// The sum is left split over the axes that were contracted, along the first dimension that they divide.
constexpr repair sum_of_parts(verdict const& v, mesh_value const& mesh) {
  if (v.rhs_dim < 0) return {};  // not a contraction
  repair found{-1, v.result, rule::all_reduce_bytes(v.result, v.axes, mesh)};
  found.whole_sum = static_cast<bool>(rule::lawful(v.result, mesh));
  array_value const& out = v.result;
  entry_value axes;
  for (int a = 0; a < mesh.rank; ++a)
    if (v.axes.contains(a)) axes.append(a);
  for (int d = 0; d < out.rank && found.whole_sum && !found.shared_sum; ++d) {
    auto const parts = mesh.devices(v.axes);
    if (!out.entry(d).empty() || out.extent(d) == dynamic || parts == dynamic || out.extent(d) % parts != 0) continue;
    found.shares = out;
    found.shares.entry(d) = axes;
    found.shared_sum = static_cast<bool>(rule::lawful(found.shares, mesh));
  }
  return found;
}

}  // namespace detail

// `right`: which operand rhs is.
constexpr repair repair_of(verdict const& v, array_value const& lhs, array_value const* rhs, int right,
                           mesh_value const& mesh) {
  switch (v.why) {
    case reason::dims_disagree: return rhs ? detail::agree(v, lhs, *rhs, right, mesh) : repair{};
    case reason::axis_used_twice:
      return rhs ? detail::relayout(right, *rhs, detail::without_axes(*rhs, v.axes), mesh) : repair{};
    case reason::not_divisible: {  // what is left of a dimension that they split
      bool const split =
          v.lhs_dim >= 0 && v.lhs_dim < lhs.rank && !v.axes.empty() && lhs.entry(v.lhs_dim).axes() == v.axes;
      return split ? detail::relayout(0, lhs, detail::without_axes(lhs, v.axes), mesh) : repair{};
    }
    case reason::ambiguous_reshape:
    case reason::sharded_dim_unsupported: return detail::relayout(0, lhs, detail::without_axes(lhs, v.axes), mesh);
    case reason::uneven_unsupported: {
      bool const on_right = rhs && v.operand > 0;
      array_value const& operand = on_right ? *rhs : lhs;
      return detail::relayout(on_right ? right : 0, operand, detail::without_axes(operand, v.axes), mesh);
    }
    case reason::needs_out_sharding: return detail::sum_of_parts(v, mesh);
    case reason::unreduced_operand: {
      bool const on_right = rhs && lhs.unreduced.empty();
      array_value const& partial = on_right ? *rhs : lhs;
      if (partial.unreduced.empty()) return {};
      array_value finished = partial;
      finished.unreduced = {};
      return {on_right ? right : 0, finished, rule::all_reduce_bytes(partial, partial.unreduced, mesh)};
    }
    default: return {};
  }
}

}  // namespace tessera::error
