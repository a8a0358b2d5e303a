// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order of a mesh's devices for which a change of layout sends the fewest elements: each device takes the part of
// which it has most already. Source: Kabić, Pintarelli, Kozhevnikov, VandeVondele, COSTA (2021): relabeling as an
// assignment problem.

#include <tessera/array/sharding_object.hpp>

namespace tessera {

struct relabeling {
  concrete_mesh mesh;         // the same axes over the same devices, in another order
  std::int64_t elements = 0;  // that devices receive from others in this order
  std::int64_t in_order = 0;  // and in their present order
  bool changes() const { return elements < in_order; }
};

namespace functions {

// For an array of these extents. Throws as concrete_sharding and its shard_shape do. Takes n^3 steps for n devices.
relabeling relabeled(concrete_sharding const& from, spec_value const& to, extents_list const& extents);

}  // namespace functions

namespace detail {
// Assigns each of n rows a column of its own, with the least sum of cost[row * n + column].
std::vector<std::size_t> least_cost_assignment(std::vector<std::int64_t> const& cost, std::size_t n);
}  // namespace detail

}  // namespace tessera
