// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reshape: a single dimension is split, or a group of dimensions is merged; any other case needs out_sharding. Split:
// the leading dimensions take the mesh axes in order. Merge: the axes of the group are concatenated; an unsharded
// dimension before a sharded one is ambiguous. Dimensions of size 1 may be added or removed, and unsharded operands
// always pass. Padded dimensions are neither split nor merged, unless out_sharding gives the layout.
// Source: JAX 0.10.2 jax/_src/lax/lax.py, _reshape_sharding_rule; conformance surprise 6. Differs: an axis of size 1
// that is left over stays on the last dimension (JAX fails an assertion).

#include <tessera/rule/spec.hpp>

namespace tessera::rule {

// The extents `wanted`, with a single `dynamic` one computed from the size of x, if that is known.
constexpr extents_list completed_extents(array_value const& x, extents_list wanted) {
  int open = -1;
  std::int64_t known = 1;
  for (int d = 0; d < wanted.size(); ++d) {
    if (wanted[d] != dynamic)
      known *= wanted[d];
    else if (open < 0)
      open = d;
    else
      return wanted;
  }
  if (auto const size = x.size(); open >= 0 && size != dynamic && known > 0 && size % known == 0)
    wanted[open] = size / known;
  return wanted;
}

// Mesh axes in order, at most as many as a spec can have.
using axis_list = inplace_list<int, max_rank>;

// Assigns `axes` to the dimensions [first, last) of x: each dimension takes axes while they divide the rest of its
// extent, and the next dimension takes axes only after one that is split completely. Returns how many axes were
// assigned.
constexpr int absorb(array_value& x, int first, int last, axis_list const& axes, mesh_value const& mesh) {
  int taken = 0;
  for (int d = first; d < last && taken < axes.size(); ++d) {
    auto left = x.extent(d);
    while (left > 1 && taken < axes.size()) {
      auto const parts = mesh.size(axes[taken]);
      if (parts == dynamic || left % parts != 0) return taken;
      left /= parts;
      auto entry = x.entry(d);
      entry.append(axes[taken++]);
      x.entry(d) = entry;
    }
  }
  while (taken < axes.size() && first < last && mesh.size(axes[taken]) == 1) {
    auto entry = x.entry(last - 1);
    entry.append(axes[taken++]);
    x.entry(last - 1) = entry;
  }
  return taken;
}

namespace detail {

constexpr void append_axes(axis_list& list, entry_value entry) {
  for (int k = 0; k < entry.count(); ++k) list.push_back(entry.axis(k));
}

// Whether both shapes are equal without their dimensions of size 1.
constexpr bool same_but_ones(array_value const& x, array_value const& y) {
  int j = 0;
  for (int i = 0; i < x.rank; ++i) {
    if (x.extent(i) == 1) continue;
    while (j < y.rank && y.extent(j) == 1) ++j;
    if (j == y.rank || y.extent(j++) != x.extent(i)) return false;
  }
  while (j < y.rank && y.extent(j) == 1) ++j;
  return j == y.rank;
}

// Whether each shape has one unknown extent, and both must be equal, because the products of the known extents are.
constexpr bool same_unknown(array_value const& x, array_value const& y) {
  std::int64_t known[2]{1, 1}, unknown[2]{};
  for (int d = 0; d < x.rank; ++d) (x.extent(d) == dynamic ? ++unknown[0] : known[0] *= x.extent(d));
  for (int d = 0; d < y.rank; ++d) (y.extent(d) == dynamic ? ++unknown[1] : known[1] *= y.extent(d));
  return unknown[0] == 1 && unknown[1] == 1 && known[0] == known[1];
}

constexpr std::int64_t devices_along(axis_list const& axes, mesh_value const& mesh) {
  axis_set set;
  for (int a : axes) set |= axis_set::of(a);
  return mesh.devices(set);
}

constexpr verdict ambiguous(array_value const& x, int first, int last, array_value const& shape) {
  axis_set axes;
  for (int d = first; d < last; ++d) axes |= x.entry(d).axes();
  verdict v = refuse(reason::ambiguous_reshape, first, axes);
  v.result = shape;
  return v;
}

}  // namespace detail

constexpr verdict reshape(rule_input const& in) {
  array_value const& x = in[0];
  array_value out = x;
  out.rank = 0;
  out.extents = {};
  out.spec = {};
  for (auto extent : completed_extents(x, in.attrs.as<reshape_params>().shape)) out.add_dim(extent);
  auto const have = x.size();
  auto need = out.size();
  if (have != dynamic && need == dynamic) {  // one extent is open and cannot be computed
    int open = 0;
    std::int64_t known = 1;
    for (int d = 0; d < out.rank; ++d) {
      open += out.extent(d) == dynamic;
      known *= out.extent(d) == dynamic ? 1 : out.extent(d);
    }
    if (open == 1) need = known;
  }
  if (have != need && have != dynamic && need != dynamic) {
    verdict v = refuse(reason::shapes_disagree, -1, {}, have, need);
    v.result = out;
    return v;
  }
  if (in.attrs.has_out) return with_spec(out, in.attrs.out, in.mesh);
  if (x.sharded_axes().empty()) return accept(out);
  if (x.same_shape(out)) return accept(x);
  if (detail::same_but_ones(x, out)) {
    for (int i = 0, j = 0; i < x.rank; ++i) {
      if (x.extent(i) == 1) continue;
      while (out.extent(j) == 1) ++j;
      out.entry(j++) = x.entry(i);
    }
    return accept(out);
  }
  int front = 0, back = 0;  // leading and trailing dimensions that stay
  int const shorter = x.rank < out.rank ? x.rank : out.rank;
  bool const same = detail::same_unknown(x, out);
  auto const equal = [same](std::int64_t a, std::int64_t b) { return a == b && (a != dynamic || same); };
  while (front < shorter && equal(x.extent(front), out.extent(front))) ++front;
  while (back < shorter - front && equal(x.extent(x.rank - 1 - back), out.extent(out.rank - 1 - back))) ++back;
  for (int d = 0; d < front; ++d) out.entry(d) = x.entry(d);
  for (int d = 1; d <= back; ++d) out.entry(out.rank - d) = x.entry(x.rank - d);
  int const x_end = x.rank - back, out_end = out.rank - back;
  if (verdict v = full_blocks(x, 0, in.mesh, front, x_end); !v) return v;
  bool const split = out.rank > x.rank && x_end - front == 1;
  bool const merge = out.rank < x.rank && out_end - front == 1;
  if (!split && !merge) return detail::ambiguous(x, front, x_end, out);
  axis_list axes;
  int holes = 0;
  for (int d = front; d < x_end; ++d) {
    if (x.entry(d).empty())
      ++holes;
    else if (holes)
      return detail::ambiguous(x, front, x_end, out);
    detail::append_axes(axes, x.entry(d));
  }
  // The size of the merged group is unknown, but each part is divisible by its axes, so the product is divisible by
  // all.
  auto const parts = detail::devices_along(axes, in.mesh);
  if (merge && (out.extent(front) == dynamic || parts == dynamic)) {
    for (int a : axes) out.entry(front).append(a);
    return divides(out, in.mesh);
  }
  if (absorb(out, front, out_end, axes, in.mesh) != axes.size()) return detail::ambiguous(x, front, x_end, out);
  return accept(out);
}

}  // namespace tessera::rule
