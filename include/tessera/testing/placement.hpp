// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which elements of an array each device holds, and where they lie in its memory: JAX's definition of a NamedSharding and
// the format of stored_array once more, for tests. It reads extents, entries and mesh sizes, and shares no code with what
// puts, moves and collects arrays, so that an error there cannot cancel itself.
//   placement const where(facts, mesh, apart);
//   where.each([&](std::int64_t device, std::int64_t element, std::int64_t position) { ... });
// Source: JAX 0.10.2 NamedSharding.devices_indices_map; tests/conformance asks both for the same ranges.

#include <tessera/aval/value.hpp>
#include <tessera/mesh/value.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::testing {

class placement {
public:
  // apart: axes over which devices' blocks have memory of their own.
  placement(array_value const& facts, mesh_value const& mesh, axis_set apart) : bytes_(bytes_of(facts.element)) {
    for (int a = 0; a < mesh.rank; ++a) {
      sizes_.push_back(mesh.size(a));
      apart_.push_back(apart.contains(a));
      devices_ *= sizes_.back();
      if (apart_.back()) blocks_ *= sizes_.back();
    }
    for (int d = 0; d < facts.rank; ++d) {
      dim dim{facts.extent(d), 1, {}};
      for (int k = 0; k < facts.entry(d).count(); ++k) {
        dim.axes.push_back(facts.entry(d).axis(k));
        dim.block *= sizes_[dim.axes.back()];
      }
      dim.block = (dim.extent + dim.block - 1) / dim.block;  // the last ones may be short, or empty
      block_size_ *= dim.block;
      dims_.push_back(dim);
    }
  }

  std::int64_t devices() const { return devices_; }
  // The elements start ... stop - 1 of dimension d that a device holds.
  std::pair<std::int64_t, std::int64_t> range(std::int64_t device, std::size_t d) const {
    dim const& own = dims_[d];
    std::int64_t part = 0;
    for (auto axis : own.axes) part = part * sizes_[axis] + along(device, axis);
    auto const start = std::min(part * own.block, own.extent);
    return {start, std::min(start + own.block, own.extent)};
  }
  // The device like this one, but with the block at this position in memory: itself where that is its own.
  std::int64_t owner(std::int64_t device, std::int64_t position) const {
    std::int64_t block = stride() == 0 ? 0 : position / stride(), owner = 0, step = 1;
    for (std::size_t a = sizes_.size(); a-- > 0; step *= sizes_[a]) {
      owner += (apart_[a] ? block % sizes_[a] : along(device, a)) * step;
      if (apart_[a]) block /= sizes_[a];
    }
    return owner;
  }
  // The axes along which two devices stand apart.
  axis_set between(std::int64_t one, std::int64_t other) const {
    axis_set axes;
    for (std::size_t a = 0; a < sizes_.size(); ++a)
      if (along(one, a) != along(other, a)) axes |= axis_set::of(static_cast<int>(a));
    return axes;
  }
  // Distinct blocks lie in mesh order, each row-major and on 64-byte lines of its own, or one element.
  std::int64_t stored_elements() const { return blocks_ * stride(); }
  std::int64_t stored_bytes() const { return stored_elements() * bytes_; }

  // f(device, number of the element in the row-major array, its position in memory), of all that each device holds.
  template <class F>
  void each(F f) const {
    for (std::int64_t device = 0; device < devices_; ++device) {
      std::int64_t block = 0;
      for (std::size_t a = 0; a < sizes_.size(); ++a)
        if (apart_[a]) block = block * sizes_[a] + along(device, a);
      walk(f, device, 0, 0, 0, block * stride());
    }
  }

private:
  struct dim {
    std::int64_t extent, block;
    std::vector<std::size_t> axes;  // major first
  };
  // A device's coordinate: the last axis of the mesh runs fastest.
  std::int64_t along(std::int64_t device, std::size_t axis) const {
    for (std::size_t a = sizes_.size(); --a > axis;) device /= sizes_[a];
    return device % sizes_[axis];
  }
  std::int64_t stride() const {
    std::int64_t const bytes = block_size_ * bytes_;
    return block_size_ <= 1 ? block_size_ : (bytes + 63) / 64 * 64 / bytes_;
  }
  template <class F>
  void walk(F& f, std::int64_t device, std::size_t d, std::int64_t element, std::int64_t local,
            std::int64_t from) const {
    if (d == dims_.size()) return f(device, element, from + local);
    auto const [start, stop] = range(device, d);
    for (auto i = start; i < stop; ++i)
      walk(f, device, d + 1, element * dims_[d].extent + i, local * dims_[d].block + i - start, from);
  }

  std::vector<dim> dims_;
  std::vector<std::int64_t> sizes_;
  std::vector<bool> apart_;
  std::int64_t bytes_, devices_ = 1, blocks_ = 1, block_size_ = 1;
};

// Of an array's memory: blocks differ over the axes that split it, and over those of pending sums.
inline placement placement_of(array_value const& facts, mesh_value const& mesh) {
  axis_set apart = facts.unreduced | facts.varying;
  for (int d = 0; d < facts.rank; ++d)
    for (int k = 0; k < facts.entry(d).count(); ++k) apart |= axis_set::of(facts.entry(d).axis(k));
  return {facts, mesh, apart};
}

}  // namespace tessera::testing
