// SPDX-License-Identifier: Apache-2.0
#pragma once
// The description of one collective for a communicator: the operation, its axes, and the strides of the blocks.

#include <tessera/plan/base/strides.hpp>

#include <vector>

namespace tessera {

// A block is one device's part, at the address that plan/base/strides.hpp defines: one block per distinct value.
// Devices that differ only over axes on which `out` does not vary share one block.
struct exchange {
  collective kind{};
  monoid combine = monoid::none;  // all_reduce, reduce_scatter
  mesh_value mesh{};
  entry_value axes{};  // major first: the order of parts along a dimension, and of positions in a permutation
  int dim = -1;        // all_gather: grows; reduce_scatter: is split; all_to_all: is split
  int other_dim = -1;  // all_to_all: grows
  // permute: either the position over `axes` that each position receives from (-1: zeros),
  std::vector<std::int64_t> source{};
  // or exchanged axes: coordinate c of axis to[k] receives from coordinate c of axis from[k], for all k.
  extents_list from{}, to{};
  // For all but permute: groups of positions over `axes` that communicate, in the order of their parts. Empty: one
  // group of all.
  std::vector<std::vector<std::int64_t>> groups{};
  array_value in{}, out{};
  strides in_at{}, out_at{};

  std::int64_t positions() const { return mesh.devices(axes.axes()); }
  // The number of devices in the largest group.
  std::int64_t parts() const {
    std::size_t most = 0;
    for (auto const& g : groups) most = g.size() > most ? g.size() : most;
    return groups.empty() ? positions() : static_cast<std::int64_t>(most);
  }
};

}  // namespace tessera
