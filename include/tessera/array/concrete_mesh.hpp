// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh on devices, without its type: sizes known, one device for each position, row-major. Copies share the list.
// Source: JAX jax.sharding.Mesh.

#include <tessera/base/config.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/mesh/coordinates.hpp>
#include <tessera/mesh/describe.hpp>

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct named_size {
  std::string_view name;
  std::int64_t size = 0;
  constexpr bool operator==(named_size const&) const = default;
};
// shape["dp"], or shape[0] for name and size of the first axis. Prints {'dp': 4, 'mp': 2}.
struct mesh_shape : inplace_list<named_size, max_rank> {
  using inplace_list::inplace_list;
  using inplace_list::operator[];
  // Throws std::out_of_range for a name that it does not have.
  std::int64_t operator[](std::string_view name) const;
  std::string text() const;
};

// Row-major, of the mesh's shape; prints as an array of that shape.
struct device_id_grid : std::vector<int> {
  extents_list extents{};
};

class concrete_mesh {
public:
  concrete_mesh();
  // Throws std::invalid_argument unless every size is known and there is exactly one device, none twice, per position.
  concrete_mesh(mesh_value const& mesh, std::vector<device> devices);
  // Every type of array copies its mesh: not inline in each of them.
  concrete_mesh(concrete_mesh const&);
  concrete_mesh(concrete_mesh&&) noexcept;
  concrete_mesh& operator=(concrete_mesh const&);
  concrete_mesh& operator=(concrete_mesh&&) noexcept;
  ~concrete_mesh();

  mesh_value const& value() const { return placed().mesh; }
  std::vector<device> const& devices() const { return placed().devices; }
  std::int64_t size() const { return static_cast<std::int64_t>(devices().size()); }
  device_id_grid device_ids() const;
  device const& device_at(mesh_coordinates const& at) const;
  // JAX's mesh.shape: {'dp': 4, 'mp': 2}.
  mesh_shape shape() const;
  extents_list axis_sizes() const;
  axis_name_list axis_names() const;
  axis_kind_list axis_types() const;
  bool empty() const { return devices().empty(); }
  // Whether the program chose the devices: false for the default device. Meshes that differ only in this are equal.
  bool committed() const { return placed().committed; }
  // Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))
  std::string text() const;

  bool operator==(concrete_mesh const& other) const;

protected:
  concrete_mesh uncommitted() const;

private:
  struct placed_mesh {
    mesh_value mesh{};
    std::vector<device> devices{};
    bool committed = true;
  };

  placed_mesh const& placed() const;
  void require() const;

  std::shared_ptr<placed_mesh const> placed_{};
};

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, mesh_shape const& shape) {
  return out << shape.text();
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, concrete_mesh const& mesh) {
  return out << mesh.text();
}

}  // namespace tessera
