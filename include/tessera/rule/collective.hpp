// SPDX-License-Identifier: Apache-2.0
#pragma once
// The effect of collectives on a device's block, and on the axes over which blocks differ (facts.varying).

#include <tessera/rule/device_groups.hpp>
#include <tessera/rule/spec.hpp>

namespace tessera::rule {

namespace detail {
constexpr verdict resized(rule_input const& in, int dim, bool shorter, axis_set add, axis_set remove) {
  array_value out = in[0];
  if (verdict const v = lawful_groups(in, false); !v) return v;
  auto const& along = in.attrs.as<collective_params>();
  auto const parts = sharers(in.mesh, along);
  if (dim < 0 || dim >= out.rank) return refuse(reason::dim_out_of_range, dim, {}, dim, out.rank);
  auto& extent = out.extent(dim);
  if (extent != dynamic && parts != dynamic) {
    if (shorter && extent % parts != 0) return refuse(reason::not_divisible, dim, along.order.axes(), extent, parts);
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
  out.varying = out.varying - in.attrs.as<collective_params>().axes;
  return accept(out);
}
constexpr verdict all_gather(rule_input const& in) {
  auto const& along = in.attrs.as<collective_params>();
  return detail::resized(in, static_cast<int>(along.dim), false, {}, along.order.axes());
}
constexpr verdict reduce_scatter(rule_input const& in) {
  auto const& along = in.attrs.as<collective_params>();
  return detail::resized(in, static_cast<int>(along.dim), true, along.order.axes(), {});
}
constexpr verdict shard_slice(rule_input const& in) {
  auto const& along = in.attrs.as<collective_params>();
  return detail::resized(in, static_cast<int>(along.dim), true, along.order.axes(), {});
}
// Devices keep different parts, even of equal blocks.
constexpr verdict all_to_all(rule_input const& in) {
  auto const& along = in.attrs.as<collective_params>();
  verdict const split = detail::resized(in, static_cast<int>(along.dim), true, {}, {});
  if (!split) return split;
  array_value const* const operand[]{&split.result};
  return detail::resized({in.mesh, operand, 1, in.attrs}, static_cast<int>(along.concat_dim), false, along.order.axes(),
                         {});
}
// Blocks move between devices along the axes: equal blocks may differ afterwards.
constexpr verdict moved(rule_input const& in) {
  auto const& along = in.attrs.as<collective_params>();
  array_value out = in[0];
  out.varying |= along.axes | along.order.axes();
  return accept(out);
}
// A reduction within replica groups: different groups have different results.
constexpr verdict reduce_in_groups(rule_input const& in) {
  if (verdict const v = lawful_groups(in, true); !v) return v;
  return moved(in);
}
constexpr verdict exchange_axes(rule_input const& in) {
  array_value out = in[0];
  auto const& swap = in.attrs.as<exchange_params>();
  axis_set from, to;
  for (auto a : swap.from) from |= axis_set::of(static_cast<int>(a));
  for (auto a : swap.to) to |= axis_set::of(static_cast<int>(a));
  out.varying = (out.varying - from) | to;
  return accept(out);
}

}  // namespace tessera::rule
