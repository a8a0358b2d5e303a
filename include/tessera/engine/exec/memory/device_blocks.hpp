// SPDX-License-Identifier: Apache-2.0
#pragma once
// The addresses of a value's blocks by device, for steps that compute addresses when they run.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/mesh/coordinates.hpp>

namespace tessera::detail {

struct device_blocks {
  int slot = -1;
  std::int64_t bytes = 0;            // offset of the first block
  by_dim<std::int64_t> axis_step{};  // bytes to the next block along an axis; 0 if shared

  std::byte* of(std::byte* const* frame, mesh_coordinates const& device) const {
    std::byte* address = frame[slot] + bytes;
    for (int a = 0; a < device.size(); ++a) address += device[a] * axis_step[a];
    return address;
  }
};

TESSERA_COLD inline device_blocks bind_blocks(plan_view const& plan, locations const& where, int id) {
  location const& from = where[id];
  if (from.slot < 0) throw std::logic_error("tessera: an operand has no memory.");
  array_value const& facts = plan.local[id].facts;
  auto const size = bytes_of(facts.element);
  device_blocks made{from.slot, from.bytes + from.at.offset * size, {}};
  for (int a = 0; a < plan.local.mesh->rank; ++a)
    if (facts.varying.contains(static_cast<int>(a))) made.axis_step[a] = from.at.axis_stride[a] * size;
  return made;
}

}  // namespace tessera::detail
