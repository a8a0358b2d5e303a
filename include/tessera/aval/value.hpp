// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything the type of an array says, as plain data: what rules, graphs and plans compute on.

#include <tessera/aval/dtype.hpp>
#include <tessera/spec/partition_spec.hpp>

#include <array>
#include <cstdint>

namespace tessera {

enum class memory_kind : std::uint8_t { device, host };

struct array_value {
  dtype element = dtype::float32;
  bool weak = false;
  memory_kind memory = memory_kind::device;
  int rank = 0;
  by_dim<std::int64_t> extents{};
  by_dim<entry_value> spec{};
  axis_set varying{}, unreduced{}, reduced{};  // VMA of manual code; pending and done partial sums

  constexpr std::int64_t extent(int d) const { return extents.items[d]; }
  constexpr std::int64_t& extent(int d) { return extents.items[d]; }
  constexpr entry_value entry(int d) const { return spec.items[d]; }
  constexpr entry_value& entry(int d) { return spec.items[d]; }
  constexpr axis_set sharded_axes() const {
    axis_set set;
    for (int d = 0; d < rank; ++d)
      if (spec.items[d].code) set |= spec.items[d].axes();
    return set;
  }
  constexpr void add_dim(std::int64_t extent, entry_value entry = {}) {
    if (rank >= max_rank) detail::list_is_full(max_rank);
    extents.items[rank] = extent;
    spec.items[rank++] = entry;
  }
  constexpr extents_list shape() const {
    extents_list list;
    for (int d = 0; d < rank; ++d) list.push_back(extent(d));
    return list;
  }
  // The number of elements; dynamic when an extent is.
  constexpr std::int64_t size() const {
    std::int64_t product = 1;
    for (int d = 0; d < rank; ++d) {
      if (extents.items[d] == dynamic) return dynamic;
      product *= extents.items[d];
    }
    return product;
  }
  constexpr bool same_shape(array_value const& other) const {
    if (rank != other.rank) return false;
    for (int d = 0; d < rank; ++d)
      if (extents.items[d] != other.extents.items[d]) return false;
    return true;
  }
  constexpr bool same_spec(array_value const& other) const {
    for (int d = 0; d < rank; ++d)
      if (spec.items[d].code != other.spec.items[d].code) return false;
    return true;
  }
  constexpr bool operator==(array_value const&) const = default;
};

// x with one more dimension, and with one less.
constexpr array_value with_dim(array_value x, int at, std::int64_t extent, entry_value entry = {}) {
  x.add_dim(extent, entry);
  for (int d = x.rank - 1; d > at; --d) {
    x.extent(d) = x.extent(d - 1);
    x.entry(d) = x.entry(d - 1);
  }
  x.extent(at) = extent;
  x.entry(at) = entry;
  return x;
}
constexpr array_value without_dim(array_value x, int at) {
  for (int d = at; d + 1 < x.rank; ++d) {
    x.extent(d) = x.extent(d + 1);
    x.entry(d) = x.entry(d + 1);
  }
  --x.rank;
  x.extent(x.rank) = 0;
  x.entry(x.rank) = {};
  return x;
}

// The layout alone: a spec that gives a value of the same rank x's entries and partial sums.
constexpr spec_value layout_of(array_value const& x) {
  spec_value spec;
  spec.rank = x.rank;
  spec.entries = x.spec;
  spec.unreduced = x.unreduced;
  spec.reduced = x.reduced;
  return spec;
}

// How long a block is of `extent` elements in `parts` parts: the last blocks are not full where they do not divide.
constexpr std::int64_t block_extent(std::int64_t extent, std::int64_t parts) {
  return extent == dynamic || parts == dynamic ? dynamic : (extent + parts - 1) / parts;
}
// Whether the parts of an extent are equal, as far as both are known.
constexpr bool parts_evenly(std::int64_t extent, std::int64_t parts) {
  return extent == dynamic || parts == dynamic || extent % parts == 0;
}
// Do blocks along dimension d, split by `by`, hold more elements than it has? Only axes in mesh.uneven split it so.
constexpr bool is_padded(array_value const& x, int d, entry_value by, mesh_value const& mesh) {
  return !by.empty() && mesh.uneven.contains(by.axes()) && !parts_evenly(x.extent(d), mesh.devices(by.axes()));
}

// One device's block: extents divided by their axes, rounded up, no spec left.
constexpr array_value local_block(array_value const& global, mesh_value const& mesh) {
  array_value local = global;
  for (int d = 0; d < global.rank; ++d)
    if (entry_value& entry = local.spec.items[d]; entry.code) {
      local.extents.items[d] = block_extent(global.extents.items[d], mesh.devices(entry.axes()));
      entry = {};
    }
  return local;
}
// The extents of all blocks together: those of x, rounded up.
constexpr array_value with_padding(array_value x, mesh_value const& mesh) {
  for (int d = 0; d < x.rank; ++d) {
    auto const parts = mesh.devices(x.entry(d).axes());
    if (parts != dynamic && x.extent(d) != dynamic) x.extent(d) = block_extent(x.extent(d), parts) * parts;
  }
  return x;
}

}  // namespace tessera
