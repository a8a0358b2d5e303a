// SPDX-License-Identifier: Apache-2.0
#pragma once
// The distinct blocks of an array that this process has, in the order in which its memory holds them.

#include <tessera/array/dense.hpp>
#include <tessera/array/sharding_object.hpp>

#include <vector>

namespace tessera::detail {

struct own_block {
  region index{};           // [start, stop) in each dimension of the whole array
  std::int64_t offset = 0;  // of its first element in memory, in elements
};

// `facts`: of the whole array; its entries name the axes that split it.
inline std::vector<own_block> own_blocks(array_value const& facts, concrete_mesh const& mesh) {
  mesh_value const& all = mesh.value();
  array_value const block = stored_block(facts, all);
  auto const regions = concrete_sharding(mesh, layout_of(facts)).devices_indices_map(facts.shape());
  std::vector<own_block> blocks;
  for (std::int64_t p = 0; p < all.held_devices(block.varying); ++p) {
    mesh_coordinates at = coordinates_of(all.held(), p, block.varying);
    for (int a = 0; a < all.rank; ++a) at[a] += all.first_held(a);
    blocks.push_back({regions[position_of(all, at)].index, p * block_stride(block)});
  }
  return blocks;
}

// Whether this process is the first of those that hold the same blocks.
inline bool has_first_replicas(array_value const& facts, mesh_value const& mesh) {
  axis_set const split = stored_block(facts, mesh).varying;
  for (int a = 0; a < mesh.rank; ++a)
    if (!split.contains(a) && mesh.first_held(a) != 0) return false;
  return true;
}

}  // namespace tessera::detail
