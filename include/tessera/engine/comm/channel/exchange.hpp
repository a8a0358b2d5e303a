// SPDX-License-Identifier: Apache-2.0
#pragma once
// One collective as a communicator gets it: what is combined or moved over which axes, and where the blocks lie.

#include <tessera/plan/base/strides.hpp>

#include <vector>

namespace tessera {

// A block is one device's part, at the address of plan/base/strides.hpp: one block for each distinct value. Over axes
// on which `out` does not vary all devices share one block.
struct exchange {
  collective kind{};
  monoid combine = monoid::none;  // all_reduce, reduce_scatter
  mesh_value mesh{};
  entry_value axes{};  // major first: the order of parts along a dimension, of positions in a permutation
  int dim = -1;        // all_gather: grows; reduce_scatter: is split; all_to_all: is split
  int other_dim = -1;  // all_to_all: grows
  // permute, one of: for each position over `axes` the one it receives from (-1: zeros);
  std::vector<std::int64_t> source{};
  // or axes that change places: coordinate c of axis to[k] receives from coordinate c of axis from[k], for all k.
  extents_list from{}, to{};
  // Not permute: positions over `axes` that do it among themselves, in the order of their parts. None: all do.
  std::vector<std::vector<std::int64_t>> groups{};
  array_value in{}, out{};
  strides in_at{}, out_at{};

  std::int64_t positions() const { return mesh.devices(axes.axes()); }
  // Devices of the largest group.
  std::int64_t parts() const {
    std::size_t most = 0;
    for (auto const& g : groups) most = g.size() > most ? g.size() : most;
    return groups.empty() ? positions() : static_cast<std::int64_t>(most);
  }
};

}  // namespace tessera
