// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks whether a spec is valid for a shape on a mesh: each axis is known, used once, of the right kind, and divides
// its dimension.
// Source: JAX 0.10.2 jax/_src/named_sharding.py (check_pspec and its callers); conformance family propagate/bad_input.

#include <tessera/rule/input.hpp>

namespace tessera::rule {

// Whether the mesh has axes for which the planner chooses layouts.
constexpr bool is_planned(mesh_value const& mesh) {
  return !mesh.of_kind(axis_kind::automatic).empty() || !mesh.of_both_kinds.empty();
}

// Checks that every extent of x is divisible by the axes of its entry, unless all of these may split unevenly. Dynamic
// extents are checked when they are known.
constexpr verdict divides(array_value const& x, mesh_value const& mesh) {
  for (int d = 0; d < x.rank; ++d) {
    if (x.spec.items[d].code == 0 || mesh.uneven.contains(x.entry(d).axes())) continue;
    auto const parts = mesh.devices(x.entry(d).axes());
    if (!parts_evenly(x.extent(d), parts))
      return refuse(reason::not_divisible, d, x.entry(d).axes(), x.extent(d), parts);
  }
  return accept(x);
}

// Checks that no dimension in [first, last) of operand `operand` (-1: the result) is padded.
constexpr verdict full_blocks(array_value const& x, int operand, mesh_value const& mesh, int first, int last) {
  for (int d = first; d < last; ++d)
    if (is_padded(x, d, x.entry(d), mesh)) {
      verdict v =
          refuse(reason::uneven_unsupported, d, x.entry(d).axes(), x.extent(d), with_padding(x, mesh).extent(d));
      v.operand = operand;
      return v;
    }
  return {};
}

constexpr verdict full_blocks(array_value const& x, int operand, mesh_value const& mesh) {
  return full_blocks(x, operand, mesh, 0, x.rank);
}

// Checks that no axis is used twice in x's spec and its unreduced set.
constexpr verdict each_axis_once(array_value const& x) {
  axis_set seen = x.unreduced;
  for (int d = 0; d < x.rank; ++d)
    for (auto rest = x.spec.items[d].code; rest; rest >>= 4) {
      auto const axis = axis_set::of(static_cast<int>(rest & 15u) - 1);
      if (seen.contains(axis)) return refuse(reason::axis_used_twice, d, axis);
      seen |= axis;
    }
  return accept(x);
}

// Checks the result of an op: no axis is used twice, and all extents are divisible.
constexpr verdict lawful(array_value const& x, mesh_value const& mesh) {
  if (verdict once = each_axis_once(x); !once) return once;
  return divides(x, mesh);
}

// x with the given spec, checked as far as possible without knowing which kinds of axes are allowed: not too long, axes
// known and used once. Of two errors JAX reports an axis that does not exist, or is in `refused`, before a spec that is
// too long.
constexpr verdict readable(array_value x, spec_value const& spec, mesh_value const& mesh, axis_set refused = {}) {
  if (int const d = spec.open_dim(); d >= 0) return refuse(reason::unconstrained_dim, d);
  if (spec.too_long || spec.rank > x.rank) {
    array_value longer;
    longer.rank = spec.rank;
    longer.spec = spec.entries;
    for (int d = 0; d < longer.rank; ++d)
      if (auto const wrong = spec[d].axes() - mesh.axes(); !wrong.empty())
        return refuse(reason::axis_not_in_mesh, d, wrong);
    if (verdict once = each_axis_once(longer); !once) return once;
    for (int d = 0; d < longer.rank; ++d)
      if (auto const wrong = spec[d].axes() & refused; !wrong.empty()) return refuse(reason::auto_axis_named, d, wrong);
    return refuse(reason::spec_too_long, spec.rank, {}, spec.rank, x.rank);
  }
  axis_set foreign = (spec.unreduced | spec.reduced) - mesh.axes();
  for (int d = 0; d < x.rank; ++d) {
    x.entry(d) = spec[d];
    foreign |= spec[d].axes() - mesh.axes();
    if (!foreign.empty()) return refuse(reason::axis_not_in_mesh, d, foreign);
  }
  if (!foreign.empty()) return refuse(reason::axis_not_in_mesh, -1, foreign);
  x.unreduced = spec.unreduced;
  x.reduced = spec.reduced;
  return each_axis_once(x);
}

// x with a spec that the user wrote, or the reason why not. Axes that are not Explicit are refused (auto_axis_named)
// unless `erase_others`, which removes them from the type after all checks: device_put to Auto axes. Without
// `erase_others`, empty entries beyond x's dimensions are ignored, as in JAX.
constexpr verdict with_spec(array_value const& x, spec_value spec, mesh_value const& mesh, bool erase_others = false) {
  while (!erase_others && !spec.too_long && spec.rank > x.rank && spec[spec.rank - 1].empty()) --spec.rank;
  auto const others = mesh.axes() - mesh.of_kind(axis_kind::explicit_) - mesh.of_both_kinds;
  verdict v = readable(x, spec, mesh, erase_others ? axis_set{} : others);
  if (!v) return v;
  for (int d = 0; d < x.rank && !erase_others; ++d)
    if (auto const wrong = v.result.entry(d).axes() & others; !wrong.empty())
      return refuse(reason::auto_axis_named, d, wrong);
  if (verdict even = divides(v.result, mesh); !even) return even;
  for (int d = 0; d < x.rank && erase_others; ++d) v.result.entry(d) = without(v.result.entry(d), others);
  return v;
}

// x in the layout `spec`, whatever its own layout is.
constexpr verdict laid_out_anew(array_value x, spec_value const& spec, mesh_value const& mesh) {
  for (int d = 0; d < x.rank; ++d) x.entry(d) = {};
  return with_spec(x, spec, mesh);
}
// x without `axes` in its type; partial sums over them are refused.
constexpr verdict without_axes(array_value x, axis_set axes) {
  if (axis_set const sums = (x.unreduced | x.reduced) & axes; !sums.empty()) {
    verdict v = refuse(reason::unreduced_operand, -1, sums);
    v.operand = 0;
    return v;
  }
  for (int d = 0; d < x.rank; ++d) x.entry(d) = without(x.entry(d), axes);
  return accept(x);
}

// Checks a layout that is requested from the planner for x. It names Auto axes only, and may leave dimensions open; if
// all axes are Explicit, it must be x's own layout. The result is x.
constexpr verdict constraint(array_value const& x, spec_value spec, mesh_value const& mesh) {
  for (int d = 0; d < spec.rank && is_planned(mesh); ++d)
    if (spec[d].is_open()) spec.entries.items[d] = {};
  verdict v = readable(x, spec, mesh);
  if (!v) return v;
  bool const assertion = mesh.of_kind(axis_kind::explicit_) == mesh.axes() && mesh.of_both_kinds.empty();
  for (int d = 0; d < x.rank; ++d) {
    if (assertion && !(v.result.entry(d) == x.entry(d)))
      return refuse(reason::constraint_differs, d, v.result.entry(d).axes() | x.entry(d).axes());
    if (auto const wrong = v.result.entry(d).axes() - mesh.of_kind(axis_kind::automatic) - mesh.of_both_kinds;
        !assertion && !wrong.empty())
      return refuse(reason::axis_not_auto, d, wrong);
  }
  return accept(x);
}

}  // namespace tessera::rule
