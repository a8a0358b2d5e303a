// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error for a call without a current mesh.

#include <tessera/array/current_mesh.hpp>

#include <stdexcept>

namespace tessera::detail {

[[noreturn]] TESSERA_ENGINE void no_current_mesh(mesh_value const& type) {
  throw std::logic_error("tessera: no current " + describe(type) +
                         " in this thread. Fix: set_mesh(make_mesh<...>(devices)) first, or pass the mesh.");
}

}  // namespace tessera::detail
