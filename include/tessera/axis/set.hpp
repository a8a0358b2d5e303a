// SPDX-License-Identifier: Apache-2.0
#pragma once
// A set of a mesh's axes, by their positions in the mesh.

#include <bit>
#include <cstdint>

namespace tessera {

struct axis_set {
  std::uint32_t bits = 0;

  static constexpr axis_set of(int axis) { return {std::uint32_t{1} << axis}; }
  static constexpr axis_set first(int count) { return {(std::uint32_t{1} << count) - 1}; }
  constexpr bool contains(int axis) const { return (bits >> axis) & 1u; }
  constexpr bool contains(axis_set other) const { return (bits & other.bits) == other.bits; }
  constexpr bool empty() const { return bits == 0; }
  constexpr int size() const { return std::popcount(bits); }
  constexpr bool operator==(axis_set const&) const = default;
  friend constexpr axis_set operator|(axis_set l, axis_set r) { return {l.bits | r.bits}; }
  friend constexpr axis_set operator&(axis_set l, axis_set r) { return {l.bits & r.bits}; }
  friend constexpr axis_set operator-(axis_set l, axis_set r) { return {l.bits & ~r.bits}; }
  constexpr axis_set& operator|=(axis_set other) {
    bits |= other.bits;
    return *this;
  }
};

}  // namespace tessera
