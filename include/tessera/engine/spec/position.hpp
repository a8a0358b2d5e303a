// SPDX-License-Identifier: Apache-2.0
#pragma once
// The position of a device along the axes of an entry, in the entry's order: the first axis is major.

#include <tessera/mesh/coordinates.hpp>
#include <tessera/spec/entry.hpp>

namespace tessera {

constexpr std::int64_t position_along(mesh_value const& mesh, mesh_coordinates const& at, entry_value axes) {
  std::int64_t position = 0;
  for (int k = 0; k < axes.count(); ++k) position = position * mesh.size(axes.axis(k)) + at[axes.axis(k)];
  return position;
}
// Moves `at` to this position along the axes: position_along(mesh, moved_along(mesh, at, axes, p), axes) == p.
constexpr mesh_coordinates moved_along(mesh_value const& mesh, mesh_coordinates at, entry_value axes,
                                       std::int64_t position) {
  for (int k = axes.count() - 1; k >= 0; --k) {
    at[axes.axis(k)] = position % mesh.size(axes.axis(k));
    position /= mesh.size(axes.axis(k));
  }
  return at;
}

}  // namespace tessera
