// SPDX-License-Identifier: Apache-2.0
#pragma once
// Code of one device: how shard_map changes a value and a result, and where collectives are allowed. The spec of a
// border is attrs.out.
// Source: JAX 0.10.2 jax/_src/shard_map.py, jax/_src/lax/parallel.py; conformance surprises 13 to 21.

#include <tessera/rule/collective.hpp>

namespace tessera::rule {

// The first axes of an entry that are in `set`, in order.
constexpr entry_value leading(entry_value entry, axis_set set) {
  entry_value front;
  for (int k = 0; k < entry.count() && set.contains(entry.axis(k)); ++k) front.append(entry.axis(k));
  return front;
}

namespace detail {
// The axes that the spec names.
constexpr axis_set named(spec_value const& spec) {
  axis_set all;
  for (int d = 0; d < spec.rank; ++d) all |= spec[d].axes();
  return all;
}
// Checks the spec in attrs for x's shape: not too long; axes known, used once, and Manual. If an axis was already
// Manual and is mapped again, an extent that it does not divide is reported first.
constexpr verdict names_manual(rule_input const& in, array_value const& x) {
  auto const& border = in.attrs.as<shard_map_params>();
  array_value plain = x;
  for (int d = 0; d < plain.rank; ++d) plain.entry(d) = {};
  plain.unreduced = plain.reduced = {};
  verdict v = readable(plain, in.attrs.out, in.mesh);
  for (int d = 0; v && d < x.rank; ++d)
    if (axis_set const other = in.attrs.out[d].axes() - border.axes; !other.empty()) {
      auto const parts = in.mesh.devices(other), extent = x.extent(d);
      bool again = !parts_evenly(extent, parts);
      again = again && ((other & in.mesh.axes()) - border.again).empty();
      return again ? refuse(reason::not_divisible, d, other, extent, parts) : refuse(reason::axis_not_manual, d, other);
    }
  return v;
}
}  // namespace detail

// From a value to one device's block of it over the axes. The other axes stay in the type.
constexpr verdict enter_manual(rule_input const& in) {
  auto const& border = in.attrs.as<shard_map_params>();
  array_value out = in[0];
  if (axis_set const other = border.axes - in.mesh.axes(); !other.empty())
    return refuse(reason::axis_not_in_mesh, -1, other);
  // Partial sums enter as such; a spec may state that a reduced value is reduced.
  axis_set const asked_done = in.attrs.out.reduced;
  if (!(out.unreduced == in.attrs.out.unreduced) || (!asked_done.empty() && !(asked_done == out.reduced))) {
    verdict v = refuse(reason::unreduced_operand, -1, out.unreduced | in.attrs.out.unreduced | asked_done);
    v.operand = 0;
    return v;
  }
  if (verdict v = detail::names_manual(in, out); !v) return v;
  if (verdict v = full_blocks(in[0], 0, in.mesh); !v) return v;
  for (int d = 0; d < out.rank; ++d) {
    auto const asked = in.attrs.out[d].axes();
    auto const parts = in.mesh.devices(asked), extent = out.extent(d);
    if (!parts_evenly(extent, parts)) return refuse(reason::not_divisible, d, asked, extent, parts);
  }
  for (int d = 0; d < out.rank; ++d) {
    entry_value const asked = in.attrs.out[d], has = out.entry(d);
    if (border.as_it_is && (!(leading(has, border.axes) == asked) || !((has.axes() & border.axes) == asked.axes())))
      return refuse(reason::in_specs_differ, d, asked.axes() | (has.axes() & border.axes));
    out.extent(d) = block_extent(out.extent(d), in.mesh.devices(asked.axes()));
    out.entry(d) = without(has, border.axes);
    out.varying |= asked.axes();
  }
  if (border.unchecked) out.varying |= border.axes;
  return divides(out, in.mesh);
}

// From a block to the value made of all devices' blocks. They are adjacent along dimensions whose entry names axes, and
// equal over the other axes; if that was not checked, the first device's block is used. Auto axes are removed from the
// type.
constexpr verdict leave_manual(rule_input const& in) {
  auto const& border = in.attrs.as<shard_map_params>();
  array_value out = in[0];
  if (verdict v = detail::names_manual(in, out); !v) return v;
  axis_set tiled;
  for (int d = 0; d < out.rank; ++d) {
    entry_value entry = in.attrs.out[d];
    tiled |= entry.axes();
    auto const parts = in.mesh.devices(entry.axes());
    auto& extent = out.extent(d);
    extent = extent == dynamic || parts == dynamic ? dynamic : extent * parts;
    entry = without(entry, in.mesh.of_kind(axis_kind::automatic));
    for (int k = 0; k < out.entry(d).count(); ++k) entry.append(out.entry(d).axis(k));
    out.entry(d) = entry;
  }
  axis_set const pending = (out.unreduced - in.attrs.out.unreduced) | (out.reduced - in.attrs.out.reduced);
  if (axis_set const lost = pending & border.axes; !lost.empty()) return refuse(reason::result_varies, -1, lost);
  if (!(out.unreduced == in.attrs.out.unreduced) || !(out.reduced == in.attrs.out.reduced)) {
    verdict v = refuse(reason::unreduced_operand, -1, out.reduced | in.attrs.out.unreduced | in.attrs.out.reduced);
    v.operand = 0;
    return v;
  }
  if (axis_set const lost = (out.varying & border.axes) - tiled; !border.unchecked && !lost.empty())
    return refuse(reason::result_varies, -1, lost);
  out.varying = out.varying - border.axes;
  return lawful(out, in.mesh);
}

// Casts between equal and varying values, if these states are known (`unchecked` is empty).
constexpr verdict cast_reduced(rule_input const& in) {
  auto const& over = in.attrs.as<collective_params>();
  array_value out = in[0];
  axis_set const odd = over.axes & (out.varying | out.unreduced | out.reduced | over.unchecked);
  if (!odd.empty()) return refuse(reason::malformed_cast, -1, odd);
  out.reduced |= over.axes;
  return accept(out);
}
constexpr verdict cast_unreduced(rule_input const& in) {
  auto const& over = in.attrs.as<collective_params>();
  array_value out = in[0];
  if (axis_set const odd = over.axes - (out.varying - over.unchecked); !odd.empty())
    return refuse(reason::malformed_cast, -1, odd);
  out.varying = out.varying - over.axes;
  out.unreduced |= over.axes;
  return accept(out);
}
// Like pvary: a reduced value may become varying, partial sums may not.
constexpr verdict cast_varying(rule_input const& in) {
  auto const& over = in.attrs.as<collective_params>();
  verdict v = moved(in);
  if (axis_set const odd = over.axes & in[0].unreduced; !odd.empty()) return refuse(reason::malformed_cast, -1, odd);
  v.result.reduced = v.result.reduced - over.axes;
  return v;
}
constexpr bool is_cast(rule_function blocks) {
  return blocks == &cast_reduced || blocks == &cast_unreduced || blocks == &cast_varying;
}

// A collective of the user's program: `blocks` is the rule for a block, used once its axes are known to be Manual. It
// refuses partial sums over its axes.
constexpr verdict over_manual(rule_input const& in, rule_function blocks) {
  auto const& over = in.attrs.as<collective_params>();
  axis_set const asked = over.axes | over.order.axes();
  if (axis_set const other = asked - in.mesh.axes(); !other.empty()) return refuse(reason::axis_not_manual, -1, other);
  axis_set const sums = asked & (in[0].unreduced | in[0].reduced);
  if (!is_cast(blocks) && !sums.empty()) {
    verdict v = refuse(reason::unreduced_operand, -1, sums);
    v.operand = 0;
    return v;
  }
  verdict v = blocks(in);
  v.result.varying |= over.unchecked;
  return v;
}
// A sum. Over several axes its operand must vary over all of them, or over none, and then each device's copy counts.
// Partial sums over all of the axes become their sum.
constexpr verdict sum_over_manual(rule_input const& in, rule_function blocks) {
  auto const& over = in.attrs.as<collective_params>();
  axis_set const axes = over.axes | over.order.axes();
  if (!axes.empty() && in[0].unreduced.contains(axes) && !over.table) {
    array_value terms = in[0];
    terms.unreduced = terms.unreduced - axes;
    terms.varying |= axes;
    array_value const* const operand[]{&terms};
    return over_manual({in.mesh, operand, 1, in.attrs}, blocks);
  }
  axis_set const invariant = axes - in[0].varying - over.unchecked;
  bool const known = in.mesh.axes().contains(axes);
  if (known && !invariant.empty() && !(invariant == axes)) return refuse(reason::partly_varying, -1, invariant);
  return over_manual(in, blocks);
}

}  // namespace tessera::rule
