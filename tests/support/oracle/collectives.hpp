// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives over mesh axes, on one block a device: each device reads the blocks of its group, the devices that differ
// from it only along those axes. Several axes count as one, the first major.

#include "support/oracle/binary.hpp"
#include "support/oracle/mesh.hpp"
#include "support/oracle/movement.hpp"

namespace oracle {

// The device's group in order of position.
inline std::vector<std::int64_t> group(mesh const& m, axes const& over, std::int64_t device) {
  std::vector<std::int64_t> members(m.parts(over));
  auto const mine = m.coordinates(device);
  for (std::int64_t other = 0; other < m.devices(); ++other) {
    auto const at = m.coordinates(other);
    bool same = true;
    for (std::size_t a = 0; a < at.size(); ++a)
      if (std::find(over.begin(), over.end(), m.names[a]) == over.end()) same = same && at[a] == mine[a];
    if (same) members[m.part(over, other)] = other;
  }
  return members;
}

namespace detail {

// f(the group's blocks in order, the device's own position) on every device.
template <class F>
blocks in_groups(blocks const& x, mesh const& m, axes const& over, F f) {
  require(static_cast<std::int64_t>(x.size()) == m.devices(), "one block for each device");
  blocks out;
  for (std::int64_t device = 0; device < m.devices(); ++device) {
    blocks theirs;
    for (auto member : group(m, over, device)) theirs.push_back(x[member]);
    out.push_back(f(theirs, m.part(over, device)));
  }
  return out;
}

inline tensor part_of(tensor const& x, std::int64_t dim, std::int64_t parts, std::int64_t part) {
  auto const d = dim_from_front(dim, x.rank());
  require(x.extents[d] % parts == 0, std::to_string(x.extents[d]) + " does not divide by " + std::to_string(parts));
  ints start(x.extents.size(), 0), limit = x.extents;
  start[d] = x.extents[d] / parts * part;
  limit[d] = start[d] + x.extents[d] / parts;
  return slice(x, start, limit);
}

}  // namespace detail

enum class combine { sum, max, min };

inline tensor combined(blocks const& all, combine how) {
  tensor out = all.at(0);
  for (std::size_t i = 1; i < all.size(); ++i)
    out = how == combine::sum ? out + all[i] : how == combine::max ? maximum(out, all[i]) : minimum(out, all[i]);
  return out;
}

// psum, pmax, pmin.
inline blocks all_reduce(blocks const& x, mesh const& m, axes const& over, combine how = combine::sum) {
  return detail::in_groups(x, m, over, [&](blocks const& theirs, std::int64_t) { return combined(theirs, how); });
}

// Tiled: the group's blocks one after the other along `dim`; else along a new dim there.
inline blocks all_gather(blocks const& x, mesh const& m, axes const& over, std::int64_t dim, bool tiled = true) {
  return detail::in_groups(x, m, over, [&](blocks const& theirs, std::int64_t) {
    return tiled ? concatenate(theirs, dim) : stack(theirs, dim);
  });
}

// psum_scatter: the device's own part along `dim` of the sum; not tiled, `dim` has one position a device and is dropped.
inline blocks reduce_scatter(blocks const& x, mesh const& m, axes const& over, std::int64_t dim, bool tiled = true) {
  return detail::in_groups(x, m, over, [&](blocks const& theirs, std::int64_t position) {
    auto const mine = detail::part_of(combined(theirs, combine::sum), dim, m.parts(over), position);
    return tiled ? mine : squeeze(mine, dim);
  });
}

// Each device cuts its block along `split_dim` and sends part i to position i, which joins what it gets along
// `concat_dim` (tiled).
inline blocks all_to_all(blocks const& x, mesh const& m, axes const& over, std::int64_t split_dim,
                         std::int64_t concat_dim) {
  return detail::in_groups(x, m, over, [&](blocks const& theirs, std::int64_t position) {
    blocks mine;
    for (auto const& block : theirs) mine.push_back(detail::part_of(block, split_dim, m.parts(over), position));
    return concatenate(mine, concat_dim);
  });
}

// Pairs of positions (from, to); who gets nothing holds zeros.
inline blocks ppermute(blocks const& x, mesh const& m, axes const& over,
                       std::vector<std::pair<std::int64_t, std::int64_t>> const& pairs) {
  return detail::in_groups(x, m, over, [&](blocks const& theirs, std::int64_t position) {
    for (auto const& [from, to] : pairs)
      if (to == position) return theirs.at(from);
    return full(theirs.at(position).extents, 0);
  });
}

// The device's own part along `dim` of a block that its group shares: no communication.
inline blocks shard_slice(blocks const& x, mesh const& m, axes const& over, std::int64_t dim) {
  return detail::in_groups(x, m, over, [&](blocks const& theirs, std::int64_t position) {
    return detail::part_of(theirs.at(position), dim, m.parts(over), position);
  });
}

// Every device's own position, as a scalar.
inline blocks axis_index(mesh const& m, axes const& over) {
  blocks out;
  for (std::int64_t device = 0; device < m.devices(); ++device)
    out.push_back(static_cast<double>(m.part(over, device)));
  return out;
}

}  // namespace oracle
