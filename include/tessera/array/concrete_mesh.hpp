// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh on devices, whatever its type: sizes known, one device for each position, row-major. Copies share the list.
// Source: JAX jax.sharding.Mesh.

#include <tessera/base/config.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/mesh/coordinates.hpp>
#include <tessera/mesh/describe.hpp>

#include <algorithm>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>
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
  std::int64_t operator[](std::string_view name) const {
    for (named_size const& axis : *this)
      if (axis.name == name) return axis.size;
    throw std::out_of_range("tessera: no axis '" + std::string(name) + "' in " + text() +
                            ". Fix: the name of one of them.");
  }
  std::string text() const {
    std::string all = "{";
    for (named_size const& axis : *this)
      ((((all += all.size() > 1 ? ", '" : "'") += axis.name) += "': ") += std::to_string(axis.size));
    return all + '}';
  }
};

// Row-major, of the mesh's shape; prints as an array of that shape.
struct device_id_grid : std::vector<int> {
  extents_list extents{};
};

class concrete_mesh {
public:
  concrete_mesh() = default;
  // Throws std::invalid_argument unless every size is known and there is exactly one device, none twice, per position.
  concrete_mesh(mesh_value const& mesh, std::vector<device> devices)
      : placed_(std::make_shared<placed_mesh>(placed_mesh{mesh, std::move(devices)})) {
    require();
  }
  // Every type of array copies its mesh: not inline in each.
  TESSERA_NOINLINE concrete_mesh(concrete_mesh const&) = default;
  TESSERA_NOINLINE concrete_mesh(concrete_mesh&&) = default;
  TESSERA_NOINLINE concrete_mesh& operator=(concrete_mesh const&) = default;
  TESSERA_NOINLINE concrete_mesh& operator=(concrete_mesh&&) = default;
  TESSERA_NOINLINE ~concrete_mesh() = default;

  mesh_value const& value() const { return placed().mesh; }
  std::vector<device> const& devices() const { return placed().devices; }
  std::int64_t size() const { return static_cast<std::int64_t>(devices().size()); }
  device_id_grid device_ids() const {
    device_id_grid ids{{}, axis_sizes()};
    for (device const& d : devices()) ids.push_back(d.id);
    return ids;
  }
  device const& device_at(mesh_coordinates const& at) const {
    return devices()[static_cast<std::size_t>(position_of(value(), at))];
  }
  // JAX's mesh.shape: {'dp': 4, 'mp': 2}.
  mesh_shape shape() const {
    mesh_shape list;
    for (int a = 0; a < value().rank; ++a) list.push_back({value().name(a), value().size(a)});
    return list;
  }
  extents_list axis_sizes() const {
    extents_list list;
    for (int a = 0; a < value().rank; ++a) list.push_back(value().size(a));
    return list;
  }
  axis_name_list axis_names() const {
    axis_name_list list;
    for (int a = 0; a < value().rank; ++a) list.push_back(value().name(a));
    return list;
  }
  axis_kind_list axis_types() const {
    axis_kind_list list;
    for (int a = 0; a < value().rank; ++a) list.push_back(value().kind(a));
    return list;
  }
  bool empty() const { return devices().empty(); }
  // Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))
  std::string text() const { return describe(value(), "Mesh"); }

  bool operator==(concrete_mesh const& other) const {
    return placed_ == other.placed_ || (value() == other.value() && devices() == other.devices());
  }

private:
  struct placed_mesh {
    mesh_value mesh{};
    std::vector<device> devices{};
  };

  placed_mesh const& placed() const {
    static placed_mesh const nowhere;
    return placed_ ? *placed_ : nowhere;
  }
  void require() const {
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
          throw std::invalid_argument(me + ": " + to_string(devices[i]) + " is at position " + to_string(j) +
                                      " and at " + to_string(i) + ". Fix: give every position a device of its own.");
  }

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
