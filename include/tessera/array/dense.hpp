// SPDX-License-Identifier: Apache-2.0
#pragma once
// A whole array in row-major order on the host, read as if it were sharded: the strides of every device's block in it.

#include <tessera/plan/view.hpp>

namespace tessera {

// The local block of a global value with memory of its own: blocks differ over the axes of its spec and over pending
// partial sums.
constexpr array_value stored_block(array_value const& global, mesh_value const& mesh) {
  array_value local = local_block(global, mesh);
  local.varying = global.sharded_axes() | global.unreduced | global.varying;
  local.unreduced = {};
  local.reduced = {};
  return local;
}

// Where the local element (i...) of the device at (c...) lies in the dense global array.
// law: over all devices and local elements this visits each global element devices/parts times.
constexpr strides dense_strides(array_value const& global, mesh_value const& mesh) {
  strides result;
  std::int64_t step = 1;
  for (int d = global.rank - 1; d >= 0; --d) {
    result.dim_stride[static_cast<std::size_t>(d)] = step;
    entry_value const entry = global.entry(d);
    std::int64_t block = global.extent(d) / mesh.devices(entry.axes());
    for (int k = entry.count() - 1; k >= 0; --k) {
      result.axis_stride[static_cast<std::size_t>(entry.axis(k))] = block * step;
      block *= mesh.size(entry.axis(k));
    }
    step *= global.extent(d);
  }
  return result;
}

}  // namespace tessera
