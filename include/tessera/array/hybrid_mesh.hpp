// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meshes whose axes go between hosts by so much, and inside each by the rest.
//   make_hybrid_mesh<grid>(devices(), {2, 1})   dp of 4: two hosts, and two devices of each; mp stays inside
// Source: JAX mesh_utils.create_hybrid_device_mesh.

#include <tessera/array/device_mesh.hpp>

#include <span>

namespace tessera {

// What is near each other: the devices of a host, or of a process.
enum class granule { host, process };

namespace detail {
device_order hybrid_order(mesh_value const& mesh, std::span<device const> devices, extents_list const& between,
                          granule near);
}  // namespace detail

// All these devices. `between`: for each axis along how many hosts it goes, outermost; they are taken in the order in which
// their devices stand. Throws std::invalid_argument where there are other numbers of hosts, or of devices of one.
template <Mesh M>
device_mesh<M> make_hybrid_mesh(std::span<device const> devices, extents_list const& between,
                                granule near = granule::host) {
  mesh_value const mesh = detail::sized_for(M::value, devices.size());
  return device_mesh<M>(detail::in_order(mesh, devices, detail::hybrid_order(mesh, devices, between, near)));
}

}  // namespace tessera
