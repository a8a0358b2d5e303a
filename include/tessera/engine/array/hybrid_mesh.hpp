// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns devices to the positions of a hybrid mesh.

#include <tessera/array/hybrid_mesh.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/mesh/coordinates.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera::detail {

TESSERA_ENGINE device_order hybrid_order(mesh_value const& mesh, std::span<device const> devices,
                                         extents_list const& between, granule near) {
  std::string const what = near == granule::host ? "hosts" : "processes";
  auto const refuse = [&](std::string const& why) {
    throw std::invalid_argument("tessera: " + describe(mesh, "Mesh") + ", hybrid over " + what + ", " + why);
  };
  std::vector<std::pair<int, std::vector<int>>> parts;  // host or process, and the ids of its devices
  for (device const& d : devices) {
    int const part = near == granule::process ? d.process_index : world() ? world()->host(d.process_index) : 0;
    auto found = std::find_if(parts.begin(), parts.end(), [&](auto const& p) { return p.first == part; });
    if (found == parts.end()) found = parts.insert(found, {part, {}});
    found->second.push_back(d.id);
  }
  if (between.size() != mesh.rank)
    refuse("has one number for each axis. Fix: " + std::to_string(mesh.rank) + " numbers.");
  mesh_value outer = mesh, inner = mesh;
  for (int a = 0; a < mesh.rank; ++a) {
    if (between[a] < 1 || mesh.size(a) % between[a] != 0)
      refuse("cannot go along " + std::to_string(between[a]) + " of them by its axis " + std::string(mesh.name(a)) +
             ", which has " + std::to_string(mesh.size(a)) + " devices. Fix: a number that divides it.");
    outer.sizes[a] = between[a];
    inner.sizes[a] = mesh.size(a) / between[a];
  }
  if (outer.devices() != static_cast<std::int64_t>(parts.size()))
    refuse("is asked to go along " + std::to_string(outer.devices()) + " of them, and its devices are of " +
           std::to_string(parts.size()) + ". Fix: numbers whose product is that.");
  for (auto const& [part, ids] : parts)
    if (static_cast<std::int64_t>(ids.size()) != inner.devices())
      refuse("has " + std::to_string(ids.size()) + " devices of number " + std::to_string(part) + " and needs " +
             std::to_string(inner.devices()) + ". Fix: as many devices of each.");
  device_order order;
  for (std::int64_t p = 0; p < mesh.devices(); ++p) {
    mesh_coordinates part = coordinates_of(mesh, p), own = part;
    for (int a = 0; a < mesh.rank; ++a) {
      part[a] /= inner.sizes[a];
      own[a] %= inner.sizes[a];
    }
    auto const& ids = parts[position_of(outer, part)].second;
    order.ids.push_back(ids[position_of(inner, own)]);
  }
  return order;
}

}  // namespace tessera::detail
