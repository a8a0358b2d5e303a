// SPDX-License-Identifier: Apache-2.0
#pragma once
// What collectives do to a device's block and to the axes over which blocks differ (facts.varying).

#include <tessera/rule/groups.hpp>
#include <tessera/rule/spec.hpp>

namespace tessera::rule {

namespace detail {
constexpr verdict resized(rule_input const& in, int dim, bool shorter, axis_set add, axis_set remove) {
  array_value out = in[0];
  if (verdict const v = lawful_groups(in, false); !v) return v;
  auto const parts = sharers(in.mesh, in.attrs);
  if (dim < 0 || dim >= out.rank) return refuse(reason::dim_out_of_range, dim, {}, dim, out.rank);
  auto& extent = out.extent(dim);
  if (extent != dynamic && parts != dynamic) {
    if (shorter && extent % parts != 0)
      return refuse(reason::not_divisible, dim, in.attrs.out[0].axes(), extent, parts);
    extent = shorter ? extent / parts : extent * parts;
  } else {
    extent = dynamic;
  }
  out.varying = (out.varying | add) - remove;
  return accept(out);
}
}  // namespace detail

constexpr verdict all_reduce(rule_input const& in) {
  array_value out = in[0];
  out.varying = out.varying - in.attrs.axes;
  return accept(out);
}
constexpr verdict all_gather(rule_input const& in) {
  return detail::resized(in, static_cast<int>(in.attrs.integer), false, {}, in.attrs.out[0].axes());
}
constexpr verdict reduce_scatter(rule_input const& in) {
  return detail::resized(in, static_cast<int>(in.attrs.integer), true, in.attrs.out[0].axes(), {});
}
constexpr verdict shard_slice(rule_input const& in) {
  return detail::resized(in, static_cast<int>(in.attrs.integer), true, in.attrs.out[0].axes(), {});
}
// Devices keep other parts, even of blocks that were the same.
constexpr verdict all_to_all(rule_input const& in) {
  verdict const split = detail::resized(in, static_cast<int>(in.attrs.first[0]), true, {}, {});
  if (!split) return split;
  array_value const* const operand[]{&split.result};
  return detail::resized({in.mesh, operand, 1, in.attrs}, static_cast<int>(in.attrs.first[1]), false,
                         in.attrs.out[0].axes(), {});
}
// From device to device along the axes: what was the same differs afterwards.
constexpr verdict moved(rule_input const& in) {
  array_value out = in[0];
  out.varying |= in.attrs.axes | in.attrs.out[0].axes();
  return accept(out);
}
// Combined within groups: devices of another group have another result.
constexpr verdict reduce_in_groups(rule_input const& in) {
  if (verdict const v = lawful_groups(in, true); !v) return v;
  return moved(in);
}
constexpr verdict exchange_axes(rule_input const& in) {
  array_value out = in[0];
  axis_set from, to;
  for (auto a : in.attrs.first) from |= axis_set::of(static_cast<int>(a));
  for (auto a : in.attrs.second) to |= axis_set::of(static_cast<int>(a));
  out.varying = (out.varying - from) | to;
  return accept(out);
}

}  // namespace tessera::rule
