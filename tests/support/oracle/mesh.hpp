// SPDX-License-Identifier: Apache-2.0
#pragma once
// Simulated devices: a mesh by names and sizes, and arrays split into one block a device and put together again.

#include "support/oracle/compare.hpp"

#include <algorithm>

namespace oracle {

using axes = std::vector<std::string>;
using spec = std::vector<axes>;      // the axes that split each dim, the first major; shorter than the rank: not split
using blocks = std::vector<tensor>;  // one a device, in row-major order of the mesh

struct mesh {
  axes names;
  ints sizes;

  std::int64_t devices() const { return product(sizes); }
  std::size_t axis(std::string const& name) const {
    auto const at = std::find(names.begin(), names.end(), name);
    require(at != names.end(), "no axis '" + name + "' in the mesh");
    return static_cast<std::size_t>(at - names.begin());
  }
  // One coordinate an axis; the last axis runs fastest.
  ints coordinates(std::int64_t device) const {
    ints at(sizes.size());
    for (std::size_t a = sizes.size(); a-- > 0; device /= sizes[a]) at[a] = device % sizes[a];
    return at;
  }
  std::int64_t device(ints const& coordinates) const {
    std::int64_t d = 0;
    for (std::size_t a = 0; a < sizes.size(); ++a) d = d * sizes[a] + coordinates[a];
    return d;
  }
  // The number of positions along several axes together, and the device's own, the first axis major.
  std::int64_t parts(axes const& over) const {
    std::int64_t count = 1;
    for (auto const& name : over) count *= sizes[axis(name)];
    return count;
  }
  std::int64_t part(axes const& over, std::int64_t device) const {
    auto const at = coordinates(device);
    std::int64_t p = 0;
    for (auto const& name : over) p = p * sizes[axis(name)] + at[axis(name)];
    return p;
  }
};

// The extents of a block.
inline ints block_extents(mesh const& m, spec const& s, ints extents) {
  require(s.size() <= extents.size(), "more entries in the spec than dims");
  axes used;
  for (auto const& entry : s)
    for (auto const& name : entry) {
      require(std::find(used.begin(), used.end(), name) == used.end(), "axis '" + name + "' is used twice");
      used.push_back(name);
    }
  for (std::size_t d = 0; d < s.size(); ++d) {
    auto const parts = m.parts(s[d]);
    require(extents[d] % parts == 0, std::to_string(extents[d]) + " does not divide by " + std::to_string(parts));
    extents[d] /= parts;
  }
  return extents;
}

// Where in the whole a device's block begins.
inline ints block_start(mesh const& m, spec const& s, ints const& extents, std::int64_t device) {
  ints start = block_extents(m, s, extents);
  for (std::size_t d = 0; d < start.size(); ++d) start[d] *= d < s.size() ? m.part(s[d], device) : 0;
  return start;
}

inline ints plus(ints a, ints const& b) {
  for (std::size_t d = 0; d < a.size(); ++d) a[d] += b[d];
  return a;
}

inline blocks split(tensor const& x, mesh const& m, spec const& s) {
  blocks out;
  for (std::int64_t device = 0; device < m.devices(); ++device) {
    auto const start = block_start(m, s, x.extents, device);
    out.push_back(generate(block_extents(m, s, x.extents), [&](ints const& at) { return x[plus(at, start)]; }));
  }
  return out;
}

// The whole from the blocks. Devices that hold the same part must hold the same values: throws where they do not.
inline tensor assemble(blocks const& parts, mesh const& m, spec const& s, ints const& extents) {
  require(static_cast<std::int64_t>(parts.size()) == m.devices(), "one block for each device");
  tensor whole = full(extents, 0);
  std::vector<bool> known(whole.data.size());
  for (std::int64_t device = 0; device < m.devices(); ++device) {
    auto const& block = parts[device];
    require(block.extents == block_extents(m, s, extents), "device " + std::to_string(device) + " has another extent");
    auto const start = block_start(m, s, extents, device);
    for_each_index(block.extents, [&](ints const& at) {
      auto const to = whole.offset(plus(at, start));
      double& value = whole.data[to];
      require(!known[to] || value == block[at] || (std::isnan(value) && std::isnan(block[at])),
              "device " + std::to_string(device) + " differs from another that holds the same part");
      known[to] = true;
      value = block[at];
    });
  }
  return whole;
}

// f(a's block, b's block, ...) on every device.
template <class F, class... More>
blocks on_each(F f, blocks const& a, More const&... more) {
  blocks out;
  for (std::size_t device = 0; device < a.size(); ++device) out.push_back(f(a[device], more.at(device)...));
  return out;
}

}  // namespace oracle
