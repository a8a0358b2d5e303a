// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_mesh<M>: the mesh type M on devices.
//   make_mesh<grid>(runtime.devices())                       the first devices, in their order
//   make_mesh<grid>(devices, device_order{{0, 4, 1, 5}})     device ids in mesh order
//   make_mesh<loose>(devices, {4, 2})                        sizes of a mesh with dynamic axes
// Source: JAX jax.make_mesh. Differs: axis kinds come from the type; one dynamic axis takes all devices left.

#include <tessera/array/concrete_mesh.hpp>

#include <span>

namespace tessera {

template <Mesh M>
class device_mesh : public concrete_mesh {
public:
  using mesh_type = M;
  static_assert(M::rank >= 0);  // here M's own errors are short

  device_mesh() = default;
  // The mesh that types of M can be on. Throws when a size differs from M's, or as concrete_mesh does.
  explicit device_mesh(concrete_mesh mesh) : concrete_mesh(std::move(mesh)) {
    mesh_value expected = M::value;
    for (int a = 0; a < expected.rank && a < value().rank; ++a)
      if (expected.size(a) == dynamic) expected.sizes[static_cast<std::size_t>(a)] = value().size(a);
    if (!(value() == expected))
      throw std::invalid_argument("tessera: " + text() + " is not a mesh of type " + describe(M::value) +
                                  ". Fix: a mesh with those axes, in that order.");
  }
  // The empty mesh: one device.
  static device_mesh on(device where) requires(M::rank == 0) { return device_mesh(concrete_mesh(M::value, {where})); }

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

inline mesh_value sized(mesh_value const& type, extents_list const& sizes) {
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
    mesh.sizes[static_cast<std::size_t>(a)] = sizes[a];
  }
  return mesh;
}

// One dynamic size follows from the number of devices.
inline mesh_value sized_for(mesh_value mesh, std::size_t devices) {
  int unknown = -1;
  std::int64_t known = 1;
  for (int a = 0; a < mesh.rank; ++a) {
    if (mesh.size(a) != dynamic)
      known *= mesh.size(a);
    else if (unknown < 0)
      unknown = a;
    else
      return mesh;  // two: concrete_mesh asks for the sizes
  }
  auto const count = static_cast<std::int64_t>(devices);
  if (unknown >= 0 && (count % known || count == 0))
    throw std::invalid_argument("tessera: " + std::to_string(count) + " devices do not divide over " + describe(mesh) +
                                ". Fix: a multiple of " + std::to_string(known) + " devices.");
  if (unknown >= 0) mesh.sizes[static_cast<std::size_t>(unknown)] = count / known;
  return mesh;
}

inline std::vector<device> first_devices(std::span<device const> devices, std::int64_t count) {
  auto const n = count == dynamic ? devices.size() : std::min(devices.size(), static_cast<std::size_t>(count));
  return {devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(n)};
}

inline std::vector<device> in_order(std::span<device const> devices, device_order const& order) {
  std::vector<device> chosen;
  for (int id : order.ids) {
    auto const found = std::find_if(devices.begin(), devices.end(), [id](device const& d) { return d.id == id; });
    if (found == devices.end())
      throw std::invalid_argument("tessera: no device with id " + std::to_string(id) + " among the " +
                                  std::to_string(devices.size()) + " given. Fix: use the ids of those devices.");
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace detail

// The first devices of the list, as many as the mesh has positions. Throws std::invalid_argument when there are fewer.
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices) {
  mesh_value const mesh = detail::sized_for(M::value, devices.size());
  return device_mesh<M>(concrete_mesh(mesh, detail::first_devices(devices, mesh.devices())));
}
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices, extents_list sizes) {
  mesh_value const mesh = detail::sized(M::value, sizes);
  return device_mesh<M>(concrete_mesh(mesh, detail::first_devices(devices, mesh.devices())));
}
// Exactly these devices, in this order. Throws when an id is unknown or stands twice, or the number is wrong.
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices, device_order const& order) {
  return device_mesh<M>(concrete_mesh(detail::sized_for(M::value, order.ids.size()), detail::in_order(devices, order)));
}
template <Mesh M>
device_mesh<M> make_mesh(std::span<device const> devices, extents_list sizes, device_order const& order) {
  return device_mesh<M>(concrete_mesh(detail::sized(M::value, sizes), detail::in_order(devices, order)));
}

}  // namespace tessera
