// SPDX-License-Identifier: Apache-2.0
#pragma once
// In which order the devices of a mesh should stand, so that an array gets another layout with the fewest elements sent: each
// device takes the part of which it has most already.
// Source: Kabić, Pintarelli, Kozhevnikov, VandeVondele, COSTA (2021): relabeling as an assignment problem.

#include <tessera/array/sharding_object.hpp>

namespace tessera {

struct relabeling {
  concrete_mesh mesh;         // the same axes over the same devices, in another order
  std::int64_t elements = 0;  // that devices get from others then
  std::int64_t in_order = 0;  // and that they would get in the order in which they stand
  bool changes() const { return elements < in_order; }
};

namespace functions {

// For an array of these extents. Throws as concrete_sharding and its shard_shape do. Of n devices: n^3 steps.
relabeling relabeled(concrete_sharding const& from, spec_value const& to, extents_list const& extents);

}  // namespace functions

namespace detail {
// To each of n rows a column of its own, the sum of cost[row * n + column] the least.
std::vector<std::size_t> assigned(std::vector<std::int64_t> const& cost, std::size_t n);
}  // namespace detail

}  // namespace tessera
