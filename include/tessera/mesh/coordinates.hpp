// SPDX-License-Identifier: Apache-2.0
#pragma once
// Device position <-> mesh coordinates, row-major: the last axis is the fastest.

#include <tessera/mesh/value.hpp>

#include <array>
#include <cstdint>

namespace tessera {

using mesh_coordinates = by_dim<std::int64_t>;

// law: position_of(mesh, coordinates_of(mesh, p)) == p
// Counted over `axes` only: the others are 0.
constexpr mesh_coordinates coordinates_of(mesh_value const& mesh, std::int64_t position, axis_set axes) {
  mesh_coordinates result{};
  for (int a = mesh.rank - 1; a >= 0; --a) {
    if (!axes.contains(a)) continue;
    result[a] = position % mesh.size(a);
    position /= mesh.size(a);
  }
  return result;
}
constexpr mesh_coordinates coordinates_of(mesh_value const& mesh, std::int64_t position) {
  return coordinates_of(mesh, position, mesh.axes());
}

// The position counted over `axes` only (the others contribute nothing): the number of a device's distinct block.
constexpr std::int64_t position_of(mesh_value const& mesh, mesh_coordinates const& at, axis_set axes) {
  std::int64_t position = 0;
  for (int a = 0; a < mesh.rank; ++a)
    if (axes.contains(a)) position = position * mesh.size(a) + at[a];
  return position;
}

constexpr std::int64_t position_of(mesh_value const& mesh, mesh_coordinates const& at) {
  return position_of(mesh, at, mesh.axes());
}

}  // namespace tessera
