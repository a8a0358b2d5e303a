// SPDX-License-Identifier: Apache-2.0
#pragma once
// A whole array in host memory, row-major or with other steps, read as if it were sharded: the strides of every
// device's block in it.

#include <tessera/plan/base/strides.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tessera {

// The local block of a global value with memory of its own: blocks differ over the axes of its spec and of its partial
// sums.
constexpr array_value stored_block(array_value const& global, mesh_value const& mesh) {
  array_value local = local_block(global, mesh);
  local.varying = global.sharded_axes() | global.unreduced | global.varying;
  local.unreduced = {};
  local.reduced = {};
  return local;
}

// The steps of a row-major array of these extents.
constexpr extents_list row_major(extents_list const& extents) {
  extents_list steps = extents;
  std::int64_t step = 1;
  for (int d = extents.size() - 1; d >= 0; --d) {
    steps[d] = step;
    step *= extents[d];
  }
  return steps;
}

// The position of the local element (i...) of the device at (c...) in a whole array with these steps. Precondition:
// extents are divisible. law: over all devices and local elements this visits each global element devices/parts times.
constexpr strides whole_strides(array_value const& global, mesh_value const& mesh, extents_list const& steps) {
  strides result;
  for (int d = global.rank - 1; d >= 0; --d) {
    std::int64_t const step = steps[d];
    result.dim_stride[d] = step;
    entry_value const entry = global.entry(d);
    std::int64_t block = global.extent(d) / mesh.devices(entry.axes());
    for (int k = entry.count() - 1; k >= 0; --k) {
      result.axis_stride[entry.axis(k)] = block * step;
      result.offset += mesh.first_held(entry.axis(k)) * block * step;
      block *= mesh.size(entry.axis(k));
    }
  }
  return result;
}
constexpr strides dense_strides(array_value const& global, mesh_value const& mesh) {
  return whole_strides(global, mesh, row_major(global.shape()));
}

// Copies the elements of `from`, row-major with these extents, that `to` has room for, in row-major order.
inline void copy_corner(std::byte* to, array_value const& to_shape, std::byte const* from,
                        array_value const& from_shape) {
  extents_list count;
  for (int d = 0; d < to_shape.rank; ++d) count.push_back(std::min(to_shape.extent(d), from_shape.extent(d)));
  int const last = count.size() - 1;
  auto const size = bytes_of(to_shape.element);
  if (last < 0) {
    std::memcpy(to, from, size);
    return;
  }
  for (auto n : count)
    if (n == 0) return;
  extents_list at;
  for (int d = 0; d < last; ++d) at.push_back(0);
  while (true) {
    std::int64_t there = 0, here = 0;
    for (int d = 0; d <= last; ++d) {
      auto const i = d < last ? at[d] : 0;
      there = there * to_shape.extent(d) + i;
      here = here * from_shape.extent(d) + i;
    }
    std::memcpy(to + there * size, from + here * size, count[last] * size);
    int d = last - 1;
    while (d >= 0 && ++at[d] == count[d]) at[d--] = 0;
    if (d < 0) return;
  }
}

}  // namespace tessera
