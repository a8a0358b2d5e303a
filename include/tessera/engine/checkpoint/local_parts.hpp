// SPDX-License-Identifier: Apache-2.0
#pragma once
// The distinct blocks of an array that a process holds, as boxes with their memory.

#include <tessera/array/array.hpp>
#include <tessera/engine/checkpoint/boxes.hpp>

#include <cstddef>
#include <vector>

namespace tessera::detail {

struct local_part {
  array_box box;
  std::byte* data = nullptr;
};

// The parts that have elements. `data`: the array's memory on the host.
inline std::vector<local_part> local_parts(array_value const& facts, concrete_mesh const& mesh, std::byte* data) {
  mesh_value const& all = mesh.value();
  array_value const block = stored_block(facts, all);
  std::vector<local_part> parts;
  if (facts.size() == 0) return parts;
  auto const regions = concrete_sharding(mesh, layout_of(facts)).devices_indices_map(facts.shape());
  for (std::int64_t p = 0; p < all.held_devices(block.varying); ++p) {
    mesh_coordinates at = coordinates_of(all.held(), p, block.varying);
    for (int a = 0; a < all.rank; ++a) at[a] += all.first_held(a);
    region const& index = regions[position_of(all, at)].index;
    array_box box;
    box.rank = facts.rank;
    for (int d = 0; d < facts.rank; ++d) {
      box.start.items[d] = index[d].start;
      box.stop.items[d] = index[d].stop;
      box.room.items[d] = block.extent(d);
    }
    if (box.elements() > 0) parts.push_back({box, data + p * block_stride(block) * bytes_of(facts.element)});
  }
  return parts;
}

// The number of this process among those that hold the same blocks, and their count.
struct process_copy {
  std::int64_t number = 0, count = 1;
};
inline process_copy copy_of_process(array_value const& facts, mesh_value const& mesh) {
  process_copy copy;
  axis_set const split = stored_block(facts, mesh).varying;
  for (int a = 0; mesh.processes && a < mesh.rank; ++a)
    if (!split.contains(a)) {
      copy.number = copy.number * mesh.processes->sizes.items[a] + mesh.processes->here.items[a];
      copy.count *= mesh.processes->sizes.items[a];
    }
  return copy;
}

}  // namespace tessera::detail
