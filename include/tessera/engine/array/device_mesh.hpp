// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses the sizes of a mesh and its devices.

#include <tessera/array/device_mesh.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace tessera::detail {

TESSERA_ENGINE void require_of_type(concrete_mesh const& mesh, mesh_value const& type) {
  mesh_value expected = type;
  for (int a = 0; a < expected.rank && a < mesh.value().rank; ++a)
    if (expected.size(a) == dynamic) expected.sizes[a] = mesh.value().size(a);
  if (!(mesh.value() == expected))
    throw std::invalid_argument("tessera: " + mesh.text() + " is not a mesh of type " + describe(type) +
                                ". Fix: a mesh with those axes, in that order.");
}

TESSERA_ENGINE mesh_value sized(mesh_value const& type, extents_list const& sizes) {
  using std::to_string;
  mesh_value mesh = type;
  if (sizes.size() != mesh.rank)
    throw std::invalid_argument("tessera: " + describe(mesh) + " has " + to_string(mesh.rank) + " axes, " +
                                to_string(sizes.size()) + " sizes were given. Fix: give one size per axis.");
  for (int a = 0; a < mesh.rank; ++a) {
    if ((mesh.size(a) != dynamic && mesh.size(a) != sizes[a]) || sizes[a] < 1)
      throw std::invalid_argument(
          "tessera: axis '" + std::string(mesh.name(a)) + "' of " + describe(type) + " cannot have size " +
          to_string(sizes[a]) + ". Fix: " +
          (mesh.size(a) == dynamic ? "a positive size." : "the size in the mesh's type, or make it dynamic there."));
    mesh.sizes[a] = sizes[a];
  }
  return mesh;
}

// Derives one dynamic size from the number of devices.
TESSERA_ENGINE mesh_value sized_for(mesh_value const& type, std::size_t devices) {
  mesh_value mesh = type;
  int unknown = -1;
  std::int64_t known = 1;
  for (int a = 0; a < mesh.rank; ++a) {
    if (mesh.size(a) != dynamic)
      known *= mesh.size(a);
    else if (unknown < 0)
      unknown = a;
    else
      return mesh;  // two unknown sizes: the constructor of concrete_mesh throws
  }
  auto const count = static_cast<std::int64_t>(devices);
  if (unknown >= 0 && (count % known || count == 0))
    throw std::invalid_argument("tessera: " + std::to_string(count) + " devices do not divide over " + describe(mesh) +
                                ". Fix: a multiple of " + std::to_string(known) + " devices.");
  if (unknown >= 0) mesh.sizes[unknown] = count / known;
  return mesh;
}

// The first `count` devices: if possible the same number of each process, so that no process is left out.
inline std::vector<device> first_devices(std::span<device const> devices, std::size_t count) {
  std::vector<device> chosen;
  std::map<int, std::size_t> taken;
  for (device const& d : devices) taken[d.process_index] = 0;
  std::size_t const each = count % taken.size() == 0 ? count / taken.size() : count;
  for (device const& d : devices)
    if (chosen.size() < count && taken[d.process_index]++ < each) chosen.push_back(d);
  if (chosen.size() < count) chosen.assign(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count));
  return chosen;
}

TESSERA_ENGINE concrete_mesh on_first(mesh_value const& mesh, std::span<device const> devices) {
  std::int64_t const count = mesh.devices();
  auto const n = count == dynamic ? devices.size() : std::min(devices.size(), static_cast<std::size_t>(count));
  return {mesh, first_devices(devices, n)};
}

TESSERA_ENGINE concrete_mesh in_order(mesh_value const& mesh, std::span<device const> devices,
                                      device_order const& order) {
  std::vector<device> chosen;
  for (int id : order.ids) {
    auto const found = std::find_if(devices.begin(), devices.end(), [id](device const& d) { return d.id == id; });
    if (found == devices.end())
      throw std::invalid_argument("tessera: no device with id " + std::to_string(id) + " among the " +
                                  std::to_string(devices.size()) + " given. Fix: use the ids of those devices.");
    chosen.push_back(*found);
  }
  return {mesh, std::move(chosen)};
}

}  // namespace tessera::detail
