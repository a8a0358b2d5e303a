// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies bytes between host and device, and all blocks of an array as one transfer in one launch.

#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <cstring>

namespace tessera::detail {

TESSERA_ENGINE void copy_bytes(std::byte* to, std::byte const* from, std::size_t bytes, bool to_device) {
  if (bytes == 0) return;
  if constexpr (runs_on_host) {
    std::memcpy(to, from, bytes);
  } else {
    if (to_device)
      copy_to_device(to, from, bytes);
    else
      copy_from_device(to, from, bytes);
  }
}

TESSERA_ENGINE void copy_blocks(array_value const& block, mesh_value const& mesh, std::byte* out, strides const& out_at,
                                std::byte const* in, strides const& in_at) {
  transfer t;
  t.element = block.element;
  t.in_offset = in_at.offset;
  t.out_offset = out_at.offset;
  for (int a = 0; a < mesh.rank; ++a)
    if (block.varying.contains(a)) t.keep(mesh.held(a), in_at.axis_stride[a], out_at.axis_stride[a]);
  for (int d = 0; d < block.rank; ++d) t.keep(block.extent(d), in_at.dim_stride[d], out_at.dim_stride[d]);
  run(t, out, in, "tessera device_put");
}

}  // namespace tessera::detail
