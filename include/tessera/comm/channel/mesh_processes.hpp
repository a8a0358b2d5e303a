// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes that own a mesh's devices, and the channels that join them.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/mesh/coordinates.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tessera {

struct mesh_processes : process_grid {
  int rank = 0;                  // number of mesh axes
  std::vector<int> ranks;        // ranks in `all`, by position in the grid, row-major
  std::shared_ptr<channel> all;  // joins them

  int count() const { return static_cast<int>(ranks.size()); }
  mesh_coordinates position(int p) const {
    mesh_coordinates at{};
    for (int a = rank - 1; a >= 0; --a) {
      at[a] = p % sizes[a];
      p /= static_cast<int>(sizes[a]);
    }
    return at;
  }
  int number(mesh_coordinates const& position) const {
    std::int64_t p = 0;
    for (int a = 0; a < rank; ++a) p = p * sizes[a] + position[a];
    return static_cast<int>(p);
  }
  int me() const { return number(here); }
  // The grid position of the process that owns a device.
  int owner(mesh_value const& mesh, mesh_coordinates const& device) const {
    mesh_coordinates at{};
    for (int a = 0; a < rank; ++a) at[a] = device[a] / mesh.held(a);
    return number(at);
  }
  // A channel of the processes that differ from this one along `axes` only, in grid order. All processes ask for the
  // same channels in the same order.
  std::shared_ptr<channel> along(axis_set axes) const {
    std::lock_guard const lock(guard_);
    auto& known = along_[axes.bits];
    if (known) return known;
    int color = 0, key = 0;
    bool whole = true;
    for (int a = 0; a < rank; ++a) {
      int& into = axes.contains(a) ? key : color;
      into = into * static_cast<int>(sizes[a]) + static_cast<int>(here[a]);
      whole = whole && (axes.contains(a) || sizes[a] == 1) && ranks[me()] == me();
    }
    for (std::size_t p = 0; p < ranks.size(); ++p) whole = whole && ranks[p] == static_cast<int>(p);
    return known = whole ? all : all->split(color, key, "the channels of a mesh");
  }

  // Drops the channels.
  void leave() {
    std::lock_guard const lock(guard_);
    along_.clear();
    all.reset();
  }

private:
  mutable std::mutex guard_;
  mutable std::map<std::uint32_t, std::shared_ptr<channel>> along_;
};

namespace detail {
// Joins the processes that share a mesh: null if all its devices are this process'.
inline std::shared_ptr<channel> channel_of(mesh_value const& mesh) {
  return mesh.processes ? static_cast<mesh_processes const*>(mesh.processes)->all : nullptr;
}
}  // namespace detail

}  // namespace tessera
