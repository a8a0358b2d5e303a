// SPDX-License-Identifier: Apache-2.0
#pragma once
// copy_blocks as one transfer, all blocks in one launch.

#include <tessera/exec/memory/blocks.hpp>
#include <tessera/exec/move/transfer_run.hpp>

namespace tessera::detail {

TESSERA_ENGINE void copy_blocks(array_value const& block, mesh_value const& mesh, std::byte* out, strides const& out_at,
                                std::byte const* in, strides const& in_at) {
  transfer t;
  t.element = block.element;
  t.in_offset = in_at.offset;
  t.out_offset = out_at.offset;
  for (int a = 0; a < mesh.rank; ++a)
    if (block.varying.contains(a))
      t.keep(mesh.size(a), in_at.axis_stride[static_cast<std::size_t>(a)],
             out_at.axis_stride[static_cast<std::size_t>(a)]);
  for (int d = 0; d < block.rank; ++d)
    t.keep(block.extent(d), in_at.dim_stride[static_cast<std::size_t>(d)],
           out_at.dim_stride[static_cast<std::size_t>(d)]);
  run(t, out, in, "tessera device_put");
}

}  // namespace tessera::detail
