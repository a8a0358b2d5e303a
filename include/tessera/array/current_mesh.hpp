// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mesh of calls that name none: one for each mesh type and thread.
//   set_mesh(mesh);                 from here on
//   use_mesh guard{mesh};           until the end of the block
// Source: JAX jax.set_mesh. Differs: each mesh type has its own, since calls name the type.

#include <tessera/array/device_mesh.hpp>
#include <tessera/base/functions_otherwise.hpp>

namespace tessera {
namespace detail {
[[noreturn]] void no_current_mesh(mesh_value const& type);

// Without devices if none was set.
template <Mesh M>
device_mesh<M>& current_mesh_slot() {
  thread_local device_mesh<M> slot;
  return slot;
}
}  // namespace detail

template <Mesh M>
bool has_current_mesh() {
  return !detail::current_mesh_slot<M>().empty();
}

// Throws std::logic_error if none was set.
template <Mesh M>
device_mesh<M> const& current_mesh() {
  auto const& slot = detail::current_mesh_slot<M>();
  if (slot.empty()) detail::no_current_mesh(M::value);
  return slot;
}

// set_mesh(device_mesh<M>{}) removes it.
template <Mesh M>
void set_mesh(device_mesh<M> mesh) {
  detail::current_mesh_slot<M>() = std::move(mesh);
}
// set_mesh(grid{}) does not compile.
template <Mesh M>
void set_mesh(M const&) {
  written::mesh_without_devices<M>::explain();
}

// Sets the current mesh until it is destroyed, then restores the former one.
template <Mesh M>
class [[nodiscard]] use_mesh {
public:
  explicit use_mesh(device_mesh<M> mesh) : former_(std::move(detail::current_mesh_slot<M>())) {
    set_mesh(std::move(mesh));
  }
  // use_mesh on(grid{}) does not compile.
  explicit use_mesh(M const&) { written::mesh_without_devices<M>::explain(); }
  use_mesh(use_mesh const&) = delete;
  use_mesh& operator=(use_mesh const&) = delete;
  ~use_mesh() { detail::current_mesh_slot<M>() = std::move(former_); }

private:
  device_mesh<M> former_;
};

}  // namespace tessera
