// SPDX-License-Identifier: Apache-2.0
#pragma once
// One dimension's part of a partition spec: none, an axis, several axes (first is major), or unconstrained; and its
// plain value.

#include <tessera/mesh/mesh.hpp>

#include <cstdint>

namespace tessera {

struct none {};           // this dimension is not split
struct unconstrained {};  // unspecified: the planner decides; for with_sharding_constraint only. JAX: P.UNCONSTRAINED

template <Axis... A>
struct axes {};  // split over several axes, major first: JAX's ('dp', 'mp')

// The axes of one entry, major first, as positions in the mesh: four bits each, 0 ends the list.
struct entry_value {
  static constexpr int most = 8;
  // The entry of an unconstrained dimension: an axis that no mesh has, so that code without a case for it refuses it.
  static constexpr std::uint32_t open = 15;
  std::uint32_t code = 0;

  constexpr bool empty() const { return code == 0; }
  constexpr bool is_open() const { return code == open; }
  constexpr int count() const {
    int n = 0;
    for (auto rest = code; rest; rest >>= 4) ++n;
    return n;
  }
  // -1 beyond the last, up to k = most.
  constexpr int axis(int k) const { return static_cast<int>((std::uint64_t{code} >> (4 * k)) & 15u) - 1; }
  // A ninth axis: a mesh has eight, so one is named twice; then the first replaces the eighth, and the spec is refused.
  constexpr void append(int axis) {
    int const n = count();
    if (n < most)
      code |= static_cast<std::uint32_t>(axis + 1) << (4 * n);
    else
      code = (code & ~(15u << (4 * (most - 1)))) | (code & 15u) << (4 * (most - 1));
  }
  constexpr axis_set axes() const {
    axis_set set;
    for (auto rest = code; rest; rest >>= 4) set.bits |= std::uint32_t{1} << ((rest & 15u) - 1);
    return set;
  }
  constexpr bool operator==(entry_value const&) const = default;
};

constexpr entry_value only(int axis) { return {static_cast<std::uint32_t>(axis + 1)}; }

// The entry without the axes in `dropped`, in the same order.
constexpr entry_value without(entry_value entry, axis_set dropped) {
  entry_value kept;
  for (auto rest = entry.code; rest; rest >>= 4)
    if (int a = static_cast<int>(rest & 15u) - 1; !dropped.contains(a)) kept.append(a);
  return kept;
}

namespace detail {
template <Mesh M, class E>
struct entry_of;
template <Mesh M>
struct entry_of<M, none> {
  static constexpr entry_value value{};
};
template <Mesh M>
struct entry_of<M, unconstrained> {
  static constexpr entry_value value{entry_value::open};
};
template <Mesh M, Axis A>
struct entry_of<M, A> {
  static constexpr entry_value value = only(M::template index<A>);
};
template <Mesh M, Axis... A>
struct entry_of<M, axes<A...>> {
  static constexpr entry_value value = [] {
    entry_value entry;
    (entry.append(M::template index<A>), ...);
    return entry;
  }();
};
}  // namespace detail

// law: the axes an entry names -> positions in M (M::rank for an axis that M does not have).
template <Mesh M, class E>
inline constexpr entry_value entry_value_of = detail::entry_of<M, E>::value;

}  // namespace tessera
