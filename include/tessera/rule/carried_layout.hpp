// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a layout that a reshape keeps without moving bytes.

#include <tessera/rule/reshape.hpp>

namespace tessera::rule {

// The part of a layout that a reshape keeps without moving bytes: the longest part of x's axes for which the row-major
// block of `from` on every device is the block of `to`. Both keep their extents; their entries are the part that is
// kept.
struct carried_layout {
  array_value from{}, to{};
};

constexpr carried_layout carry(array_value const& x, array_value const& shape, mesh_value const& mesh) {
  carried_layout result{x, shape};
  for (int d = 0; d < max_rank; ++d) result.from.entry(d) = result.to.entry(d) = {};
  int i = 0, j = 0;
  while (i < x.rank || j < shape.rank) {
    int const i0 = i, j0 = j;
    if (i < x.rank && j < shape.rank && x.extent(i) == shape.extent(j)) {
      result.from.entry(i) = result.to.entry(j) = x.entry(i);
      ++i, ++j;
      continue;
    }
    if (i < x.rank && x.extent(i) == 1 && x.entry(i).empty()) {
      ++i;
      continue;
    }
    if (j < shape.rank && shape.extent(j) == 1 && i < x.rank) {
      ++j;
      continue;
    }
    std::int64_t left = 1, right = 1;  // the smallest groups of dimensions of equal size on both sides
    bool known = true;
    do {
      bool const take_left = i < x.rank && (left <= right || j == shape.rank);
      auto const extent = take_left ? x.extent(i++) : shape.extent(j++);
      known = known && extent != dynamic;
      (take_left ? left : right) *= extent;
    } while ((left != right || !known) && (i < x.rank || j < shape.rank));
    if (!known || left != right) continue;
    axis_list axes;
    for (int d = i0; d < i; ++d) {
      if (is_padded(x, d, x.entry(d), mesh)) break;  // its blocks are no equal parts of the group
      detail::append_axes(axes, x.entry(d));
      if (mesh.devices(x.entry(d).axes()) != x.extent(d)) break;  // rows of several elements: the rest is strided
    }
    int const taken = absorb(result.to, j0, j, axes, mesh);
    for (int d = i0, k = 0; d < i && k < taken; ++d) {
      entry_value kept;
      for (int n = x.entry(d).count(), a = 0; a < n && k < taken; ++a, ++k) kept.append(x.entry(d).axis(a));
      result.from.entry(d) = kept;
    }
  }
  return result;
}

// Whether the reshape of every device's block is the device's block of the reshaped value. Axes of size 1 do not
// matter.
constexpr bool keeps_blocks(array_value const& x, array_value const& y, mesh_value const& mesh) {
  axis_set ones;
  for (int a = 0; a < mesh.rank; ++a)
    if (mesh.size(a) == 1) ones |= axis_set::of(a);
  auto const moved = carry(x, y, mesh);
  for (int d = 0; d < x.rank; ++d)
    if (!(without(moved.from.entry(d), ones) == without(x.entry(d), ones))) return false;
  for (int d = 0; d < y.rank; ++d)
    if (!(without(moved.to.entry(d), ones) == without(y.entry(d), ones))) return false;
  return true;
}

}  // namespace tessera::rule
