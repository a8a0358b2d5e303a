// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes that each device receives when the parts of a value are brought together, by the ring model of rule/ring.hpp;
// refusals show them. 0 if a size is known at run time only. plan/cost/cost.hpp counts what a program really moves.

#include <tessera/rule/ring.hpp>

namespace tessera::rule {

// Bytes of one device's block of x; 0 if a size is unknown.
constexpr std::int64_t block_bytes(array_value const& x, mesh_value const& mesh) {
  auto const elements = local_block(x, mesh).size();
  return elements == dynamic ? 0 : elements * bytes_of(x.element);
}

// Bytes of an all_gather over the axes of `axes` that split x.
constexpr std::int64_t gather_bytes(array_value const& x, axis_set axes, mesh_value const& mesh) {
  auto const devices = mesh.devices(axes & x.sharded_axes());
  return devices == dynamic ? 0 : bytes_sent(collective::all_gather, block_bytes(x, mesh), devices);
}

// Bytes of an all_reduce of x's block over `axes`.
constexpr std::int64_t all_reduce_bytes(array_value const& x, axis_set axes, mesh_value const& mesh) {
  auto const devices = mesh.devices(axes);
  return devices == dynamic ? 0 : bytes_sent(collective::all_reduce, block_bytes(x, mesh), devices);
}

// x in the layout that agrees with `other`; dimension d of x corresponds to dimension d + shift of `other`. Its entries
// are those of `other` where the extents are equal, else x's own without the axes of `other`.
constexpr array_value laid_out_like(array_value x, array_value const& other, int shift) {
  auto const taken = other.sharded_axes();
  for (int d = 0; d < x.rank; ++d) {
    int const e = d + shift;
    bool const same = e >= 0 && e < other.rank && x.extent(d) == other.extent(e);
    x.entry(d) = same && !other.entry(e).empty() ? other.entry(e) : without(x.entry(d), taken);
  }
  return x;
}

// An upper bound on the bytes for bringing x to the layout of `to`, a value of the same shape: each axis that leaves a
// dimension is gathered.
constexpr std::int64_t relayout_bytes(array_value const& x, array_value const& to, mesh_value const& mesh) {
  axis_set left;
  for (int d = 0; d < x.rank; ++d) left |= x.entry(d).axes() - to.entry(d).axes();
  return gather_bytes(x, left, mesh);
}

}  // namespace tessera::rule
