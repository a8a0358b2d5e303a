// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_mesh<M>: the mesh type M on devices.
//   make_mesh<grid>()                                        the first devices, in their order, or of a list:
//   make_mesh<grid>(runtime.devices())
//   make_mesh<grid>(devices, device_order{{0, 4, 1, 5}})     device ids in mesh order
//   make_mesh<loose>(devices, {4, 2})                        sizes of a mesh with dynamic axes
// Source: JAX jax.make_mesh. Differs: axis kinds come from the type; one dynamic axis takes all devices left.

#include <tessera/array/concrete_mesh.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <span>

namespace tessera {

namespace detail {
// Throws if types on this mesh type cannot use the mesh.
void require_of_type(concrete_mesh const& mesh, mesh_value const& type);
}  // namespace detail

template <Mesh M>
class device_mesh : public concrete_mesh {
public:
  using mesh_type = M;
  static_assert(M::rank >= 0);  // here M's own errors are short

  device_mesh() = default;
  // The mesh for types on M. Throws if a size differs from M's, or as concrete_mesh does.
  explicit device_mesh(concrete_mesh mesh) : concrete_mesh(std::move(mesh)) {
    detail::require_of_type(*this, M::value);
  }
  // The empty mesh: one device.
  static device_mesh on(device where) requires(M::rank == 0) { return device_mesh(concrete_mesh(M::value, {where})); }
  // The same, until an operation combines it with committed arrays.
  static device_mesh anywhere(device where) requires(M::rank == 0) { return device_mesh(on(where).uncommitted()); }

  using concrete_mesh::size;
  template <Axis A>
  std::int64_t size() const {
    static_assert(M::template index<A> < M::rank, "tessera: the mesh has no such axis.");
    return value().size(M::template index<A>);
  }
};

// Device ids in mesh order (row-major, the last axis fastest).
struct device_order {
  std::vector<int> ids;
};

namespace detail {

// The mesh with these sizes for its dynamic ones; without them, with the size that follows from the number of devices.
mesh_value sized(mesh_value const& type, extents_list const& sizes);
mesh_value sized_for(mesh_value const& type, std::size_t devices);
concrete_mesh on_first(mesh_value const& mesh, std::span<device const> devices);
concrete_mesh in_order(mesh_value const& mesh, std::span<device const> devices, device_order const& order);

}  // namespace detail

// The first devices of the list, as many as the mesh has positions; with several processes the first ones of each,
// equally many, if their number divides. Throws std::invalid_argument if there are fewer.
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices) {
  return device_mesh<M>(detail::on_first(detail::sized_for(M::value, devices.size()), devices));
}
template <Mesh M>
device_mesh<M> make_mesh() {
  return make_mesh<M>(devices());
}
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices, extents_list sizes) {
  return device_mesh<M>(detail::on_first(detail::sized(M::value, sizes), devices));
}
// Exactly these devices, in this order. Throws if an id is unknown or repeated, or the number is wrong.
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices, device_order const& order) {
  return device_mesh<M>(detail::in_order(detail::sized_for(M::value, order.ids.size()), devices, order));
}
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices, extents_list sizes, device_order const& order) {
  return device_mesh<M>(detail::in_order(detail::sized(M::value, sizes), devices, order));
}

}  // namespace tessera
