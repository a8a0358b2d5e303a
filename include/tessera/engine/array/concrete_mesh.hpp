// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of concrete_mesh: checks and descriptions of a mesh on devices.

#include <tessera/array/concrete_mesh.hpp>
#include <tessera/engine/array/find_processes.hpp>

#include <stdexcept>

namespace tessera {

TESSERA_ENGINE std::int64_t mesh_shape::operator[](std::string_view name) const {
  for (named_size const& axis : *this)
    if (axis.name == name) return axis.size;
  throw std::out_of_range("tessera: no axis '" + std::string(name) + "' in " + text() +
                          ". Fix: the name of one of them.");
}
TESSERA_ENGINE std::string mesh_shape::text() const {
  std::string all = "{";
  for (named_size const& axis : *this)
    ((((all += all.size() > 1 ? ", '" : "'") += axis.name) += "': ") += std::to_string(axis.size));
  return all + '}';
}

TESSERA_ENGINE concrete_mesh::concrete_mesh() = default;
TESSERA_ENGINE concrete_mesh::concrete_mesh(mesh_value const& mesh, std::vector<device> devices)
    : placed_(std::make_shared<placed_mesh>(placed_mesh{mesh, std::move(devices)})) {
  require();
  auto placed = std::make_shared<placed_mesh>(*placed_);
  placed->mesh.processes = detail::processes_of(mesh, placed->devices);
  placed_ = std::move(placed);
}
TESSERA_ENGINE concrete_mesh::concrete_mesh(concrete_mesh const&) = default;
TESSERA_ENGINE concrete_mesh::concrete_mesh(concrete_mesh&&) noexcept = default;
TESSERA_ENGINE concrete_mesh& concrete_mesh::operator=(concrete_mesh const&) = default;
TESSERA_ENGINE concrete_mesh& concrete_mesh::operator=(concrete_mesh&&) noexcept = default;
TESSERA_ENGINE concrete_mesh::~concrete_mesh() = default;

TESSERA_ENGINE device_id_grid concrete_mesh::device_ids() const {
  device_id_grid ids{{}, axis_sizes()};
  for (device const& d : devices()) ids.push_back(d.id);
  return ids;
}
TESSERA_ENGINE device const& concrete_mesh::device_at(mesh_coordinates const& at) const {
  return devices()[position_of(value(), at)];
}
TESSERA_ENGINE mesh_shape concrete_mesh::shape() const {
  mesh_shape list;
  for (int a = 0; a < value().rank; ++a) list.push_back({value().name(a), value().size(a)});
  return list;
}
TESSERA_ENGINE extents_list concrete_mesh::axis_sizes() const {
  extents_list list;
  for (int a = 0; a < value().rank; ++a) list.push_back(value().size(a));
  return list;
}
TESSERA_ENGINE axis_name_list concrete_mesh::axis_names() const {
  axis_name_list list;
  for (int a = 0; a < value().rank; ++a) list.push_back(value().name(a));
  return list;
}
TESSERA_ENGINE axis_kind_list concrete_mesh::axis_types() const {
  axis_kind_list list;
  for (int a = 0; a < value().rank; ++a) list.push_back(value().kind(a));
  return list;
}
TESSERA_ENGINE std::string concrete_mesh::text() const { return describe(value(), "Mesh"); }
TESSERA_ENGINE bool concrete_mesh::operator==(concrete_mesh const& other) const {
  return placed_ == other.placed_ || (value() == other.value() && devices() == other.devices());
}

TESSERA_ENGINE concrete_mesh concrete_mesh::uncommitted() const {
  concrete_mesh same;
  auto placed_anywhere = std::make_shared<placed_mesh>(placed());
  placed_anywhere->committed = false;
  same.placed_ = std::move(placed_anywhere);
  return same;
}

TESSERA_ENGINE concrete_mesh::placed_mesh const& concrete_mesh::placed() const {
  static placed_mesh const nowhere;
  return placed_ ? *placed_ : nowhere;
}
TESSERA_ENGINE void concrete_mesh::require() const {
  std::vector<device> const& devices = placed().devices;
  using std::to_string;
  std::string const me = "tessera: " + text();
  auto const needed = value().devices();
  if (needed == dynamic)
    throw std::invalid_argument(me +
                                " has an axis of unknown size. Fix: give the sizes: make_mesh<M>(devices, {4, 2}).");
  if (needed != static_cast<std::int64_t>(devices.size()))
    throw std::invalid_argument(me + " needs " + to_string(needed) + " devices, " + to_string(devices.size()) +
                                " were given. Fix: give " + to_string(needed) +
                                " devices (simulated ones: TESSERA_DEVICES=" + to_string(needed) +
                                ", or runtime{argc, argv, " + to_string(needed) + "}), or change the mesh's sizes.");
  for (std::size_t i = 0; i < devices.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (devices[i] == devices[j])
        throw std::invalid_argument(me + ": " + to_string(devices[i]) + " is at position " + to_string(j) + " and at " +
                                    to_string(i) + ". Fix: give every position a device of its own.");
}

}  // namespace tessera
