// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meshes whose axes are divided among hosts first, and then among the devices of each.
//   make_hybrid_mesh<grid>(devices(), {2, 1})   dp of 4: two hosts, and two devices of each; mp stays inside
// Source: JAX mesh_utils.create_hybrid_device_mesh.

#include <tessera/array/device_mesh.hpp>

#include <span>

namespace tessera {

// The unit within which devices are near each other: a host, or a process.
enum class granule { host, process };

namespace detail {
device_order hybrid_order(mesh_value const& mesh, std::span<device const> devices, extents_list const& between,
                          granule near);
}  // namespace detail

// All these devices. `between`: the number of hosts along each axis, as its outer positions; hosts are used in the
// order of their devices. Throws std::invalid_argument if the number of hosts, or of devices of a host, differs.
template <Mesh M>
device_mesh<M> make_hybrid_mesh(std::span<device const> devices, extents_list const& between,
                                granule near = granule::host) {
  mesh_value const mesh = detail::sized_for(M::value, devices.size());
  return device_mesh<M>(detail::in_order(mesh, devices, detail::hybrid_order(mesh, devices, between, near)));
}

}  // namespace tessera
