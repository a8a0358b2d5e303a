// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slice, pad, concatenate, update_slice: entries stay, and every extent of the result must be divisible by its axes,
// whether or not elements change devices. Operands that are combined have equal layouts.
// Source: JAX 0.10.2 jax/_src/lax/slicing.py and lax.py (sharding rules of these primitives); conformance surprises 2,
// 5.

#include <tessera/rule/spec.hpp>

#include <limits>

namespace tessera::rule {

namespace detail {

// The parameter of dimension d, or `otherwise` if none is given.
constexpr std::int64_t at_or(extents_list const& list, int d, std::int64_t otherwise) {
  return d < list.size() ? list[d] : otherwise;
}

// Checks that operand i has the layout of operand 0.
constexpr verdict same_layout(rule_input const& in, int i) {
  verdict v;
  for (int d = 0; d < in[0].rank && v; ++d)
    if (!(in[0].entry(d) == in[i].entry(d)))
      v = refuse(reason::dims_disagree, d, in[0].entry(d).axes() | in[i].entry(d).axes());
  if (v && !(in[0].unreduced == in[i].unreduced))
    v = refuse(reason::unreduced_operand, -1, in[0].unreduced | in[i].unreduced);
  v.operand = i;
  return v;
}

}  // namespace detail

// The extent of a slice from `start` to `limit`, both inside [0, n]; with a negative stride it goes down to limit + 1.
constexpr std::int64_t sliced_extent(std::int64_t start, std::int64_t limit, std::int64_t stride) {
  auto const length = stride > 0 ? limit - start : start - limit;
  auto const step = stride > 0 ? stride : -stride;
  return length <= 0 ? 0 : (length + step - 1) / step;
}

// A parameter may be `dynamic` if the extent of its dimension is; the result's extent is then dynamic.
constexpr verdict slice(rule_input const& in) {
  array_value const& x = in[0];
  auto const& [starts, limits, strides] = in.attrs.as<slice_params>();
  array_value out = x;
  if (starts.size() != x.rank || limits.size() != x.rank)
    return refuse(reason::ranks_disagree, -1, {}, x.rank, starts.size());
  for (int d = 0; d < x.rank; ++d) {
    auto const n = x.extent(d), start = starts[d], limit = limits[d];
    auto const stride = detail::at_or(strides, d, 1);
    if (stride == 0) return refuse(reason::index_out_of_range, d, {}, 0, n);
    if (n == dynamic) {
      out.extent(d) = stride < 0 || limit == dynamic ? dynamic : sliced_extent(start, limit, stride);
      continue;
    }
    bool const down = stride < 0;
    if (start < 0 || limit < (down ? -1 : start) || (down ? start >= n || limit > start : limit > n))
      return refuse(reason::index_out_of_range, d, {}, start < 0 || (down && start >= n) ? start : limit, n);
    out.extent(d) = sliced_extent(start, limit, stride);
  }
  return divides(out, in.mesh);
}

// Padding that depends on a mesh axis of unknown size: the extent is unknown, too.
inline constexpr std::int64_t unknown_padding = std::numeric_limits<std::int64_t>::min();

constexpr std::int64_t padded_extent(std::int64_t n, std::int64_t low, std::int64_t high, std::int64_t interior) {
  return n == dynamic || high == unknown_padding ? dynamic : low + high + n + (n > 1 ? (n - 1) * interior : 0);
}

// Adds elements; their value is operand 1.
constexpr verdict pad(rule_input const& in) {
  array_value const& x = in[0];
  auto const& [low, high, between] = in.attrs.as<pad_params>();
  array_value out = x;
  if (in[1].rank != 0) return refuse(reason::ranks_disagree, -1, {}, in[1].rank, 0);
  if (in[1].element != x.element) return refuse(reason::elements_disagree);
  if (low.size() > x.rank || high.size() > x.rank || between.size() > x.rank)
    return refuse(reason::ranks_disagree, -1, {}, x.rank, low.size());
  for (int d = 0; d < x.rank; ++d) {
    auto const interior = detail::at_or(between, d, 0);
    out.extent(d) = padded_extent(x.extent(d), detail::at_or(low, d, 0), detail::at_or(high, d, 0), interior);
    if (interior < 0 || (x.extent(d) != dynamic && out.extent(d) != dynamic && out.extent(d) < 0))
      return refuse(reason::index_out_of_range, d, {}, interior < 0 ? interior : out.extent(d), x.extent(d));
  }
  return divides(out, in.mesh);
}

constexpr verdict concatenate(rule_input const& in) {
  array_value out = in[0];
  auto const given = in.attrs.as<concatenate_params>().dim;
  auto const dim = static_cast<int>(given);
  if (dim < 0 || dim >= out.rank) return refuse(reason::dim_out_of_range, -1, {}, given, out.rank);
  for (int i = 1; i < in.count; ++i) {
    array_value const& x = in[i];
    verdict v;
    if (x.rank != out.rank)
      v = refuse(reason::ranks_disagree, -1, {}, out.rank, x.rank);
    else if (x.element != out.element)
      v = refuse(reason::elements_disagree);
    for (int d = 0; d < out.rank && v; ++d) {
      if (d == dim) continue;
      if (x.extent(d) != out.extent(d) && x.extent(d) != dynamic && out.extent(d) != dynamic)
        v = refuse(reason::shapes_disagree, d, {}, out.extent(d), x.extent(d));
      else if (out.extent(d) == dynamic)
        out.extent(d) = x.extent(d);
    }
    if (v) v = detail::same_layout(in, i);
    if (!v) {
      v.operand = i;
      return v;
    }
    out.extent(dim) =
        out.extent(dim) == dynamic || x.extent(dim) == dynamic ? dynamic : out.extent(dim) + x.extent(dim);
    out.weak = out.weak && x.weak;
    out.varying |= x.varying;
  }
  return divides(out, in.mesh);
}

// Operand 0 with operand 1 written at `start`.
constexpr verdict update_slice(rule_input const& in) {
  array_value const &x = in[0], &part = in[1];
  if (part.rank != x.rank) return refuse(reason::ranks_disagree, -1, {}, x.rank, part.rank);
  if (part.element != x.element) return refuse(reason::elements_disagree);
  extents_list const& starts = in.attrs.as<update_slice_params>().start;
  if (starts.size() != x.rank) return refuse(reason::ranks_disagree, -1, {}, x.rank, starts.size());
  for (int d = 0; d < x.rank; ++d) {
    auto const start = starts[d];
    if (start < 0) return refuse(reason::index_out_of_range, d, {}, start, x.extent(d));
    if (x.extent(d) == dynamic || part.extent(d) == dynamic) continue;
    if (start + part.extent(d) > x.extent(d))
      return refuse(reason::index_out_of_range, d, {}, start + part.extent(d), x.extent(d));
  }
  if (verdict v = detail::same_layout(in, 1); !v) return v;
  array_value out = x;
  out.varying |= part.varying;
  return accept(out);
}

}  // namespace tessera::rule
