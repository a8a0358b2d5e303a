// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh as plain data: names, sizes and kinds of its axes, major to minor.

#include <tessera/axis/kind.hpp>
#include <tessera/axis/set.hpp>
#include <tessera/base/inplace_list.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tessera {

// The division of a mesh's devices among several processes: each has a box of them, and all boxes are equal.
struct process_grid {
  by_dim<std::int64_t> sizes{};  // processes along each axis
  by_dim<std::int64_t> here{};   // the position of this process
  bool reproducible = false;     // sums are made in the devices' order, for any grid: the same bits for each
};

struct mesh_value {
  int rank = 0;
  by_dim<std::int64_t> sizes{};
  by_dim<axis_kind> kinds{};
  by_dim<std::string_view> names{};
  axis_set uneven{};                        // axes that may split dimensions that they do not divide
  axis_set of_both_kinds{};                 // axes that are Auto in some parts of a program and Explicit in others
  by_dim<std::int32_t> prices{};            // of a byte sent along each axis, in sixteenths; 0: no price, counts as one
  process_grid const* processes = nullptr;  // null: all devices are this process'

  constexpr std::int64_t size(int axis) const { return sizes.items[axis]; }
  constexpr axis_kind kind(int axis) const { return kinds.items[axis]; }
  constexpr std::string_view name(int axis) const { return names.items[axis]; }
  constexpr axis_set axes() const { return axis_set::first(rank); }
  constexpr axis_set of_kind(axis_kind kind) const {
    axis_set set;
    for (int a = 0; a < rank; ++a)
      if (this->kind(a) == kind) set |= axis_set::of(a);
    return set;
  }
  constexpr std::int32_t price(int axis) const {
    return prices.items[axis] ? prices.items[axis] : detail::common_price;
  }
  // Axes over which values may differ although their types do not show it.
  constexpr axis_set unseen() const { return of_kind(axis_kind::unchecked) | of_kind(axis_kind::mapped); }
  // The number of devices over `axes`; dynamic if one of the sizes is.
  constexpr std::int64_t devices(axis_set axes) const {
    std::int64_t count = 1;
    for (int a = 0; a < rank; ++a)
      if (axes.bits >> a & 1) {
        if (sizes.items[a] == dynamic) return dynamic;
        count *= sizes.items[a];
      }
    return count;
  }
  constexpr std::int64_t devices() const { return devices(axes()); }

  // Positions along the axis whose devices this process has, and the first of them: memory has their blocks only.
  constexpr std::int64_t held(int axis) const {
    return processes ? sizes.items[axis] / processes->sizes.items[axis] : sizes.items[axis];
  }
  constexpr std::int64_t first_held(int axis) const { return processes ? processes->here.items[axis] * held(axis) : 0; }
  constexpr std::int64_t held_devices(axis_set axes) const {
    if (!processes) return devices(axes);
    std::int64_t count = 1;
    for (int a = 0; a < rank; ++a)
      if (axes.contains(a)) count *= held(a);
    return count;
  }
  // The axes along which other processes have devices.
  constexpr axis_set shared() const {
    axis_set set;
    for (int a = 0; processes && a < rank; ++a)
      if (processes->sizes.items[a] > 1) set |= axis_set::of(a);
    return set;
  }
  // The axes along which communication between devices is a step of its own: all of them if sums are reproducible.
  constexpr axis_set remote() const { return processes && processes->reproducible ? axes() : shared(); }
  // The devices of this process as a mesh.
  constexpr mesh_value held() const {
    mesh_value own = *this;
    for (int a = 0; a < rank; ++a) own.sizes.items[a] = held(a);
    own.processes = nullptr;
    return own;
  }
  constexpr bool operator==(mesh_value const& other) const {
    if (rank != other.rank || !(uneven == other.uneven)) return false;
    for (int a = 0; a < rank; ++a)
      if (size(a) != other.size(a) || kind(a) != other.kind(a) || name(a) != other.name(a)) return false;
    return true;
  }
};

}  // namespace tessera
