// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns devices to the positions of a new sharding such that the most elements stay on their devices.

#include <tessera/array/relabeled.hpp>

#include <algorithm>
#include <limits>

namespace tessera {
namespace detail {

inline std::int64_t shared_elements(region const& x, region const& y) {
  std::int64_t all = 1;
  for (int d = 0; d < x.size(); ++d)
    all *= std::max<std::int64_t>(0, std::min(x[d].stop, y[d].stop) - std::max(x[d].start, y[d].start));
  return all;
}

// Minimum-cost assignment: the column of each row. Source: Kuhn (1955), in the form of Jonker and Volgenant (1987): one
// row after the other is added along a shortest augmenting path.
TESSERA_ENGINE std::vector<std::size_t> least_cost_assignment(std::vector<std::int64_t> const& cost, std::size_t n) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> of_row(n, 0), of_column(n, 0);
  std::vector<std::size_t> row_at(n, none);
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<std::int64_t> slack(n, far);
    std::vector<std::size_t> before(n, none);
    std::vector<bool> reached(n, false);
    std::size_t own = row, at = none;
    while (own != none) {
      std::size_t next = none;
      for (std::size_t c = 0; c < n; ++c) {
        if (reached[c]) continue;
        auto const more = cost[own * n + c] - of_row[own] - of_column[c];
        if (more < slack[c]) {
          slack[c] = more;
          before[c] = at;
        }
        if (next == none || slack[c] < slack[next]) next = c;
      }
      auto const step = slack[next];
      of_row[row] += step;
      for (std::size_t c = 0; c < n; ++c)
        if (reached[c]) {
          of_row[row_at[c]] += step;
          of_column[c] -= step;
        } else {
          slack[c] -= step;
        }
      reached[next] = true;
      at = next;
      own = row_at[next];
    }
    for (; before[at] != none; at = before[at]) row_at[at] = row_at[before[at]];
    row_at[at] = row;
  }
  std::vector<std::size_t> column_of(n);
  for (std::size_t c = 0; c < n; ++c) column_of[row_at[c]] = c;
  return column_of;
}

}  // namespace detail

namespace functions {

TESSERA_ENGINE relabeling relabeled(concrete_sharding const& from, spec_value const& to, extents_list const& extents) {
  auto const has = from.devices_indices_map(extents), gets = from.with_spec(to).devices_indices_map(extents);
  std::size_t const n = has.size();
  std::vector<std::int64_t> missing(n * n);  // elements of position p's part that device d does not have: [p * n + d]
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t d = 0; d < n; ++d)
      missing[p * n + d] =
          detail::shared_elements(gets[p].index, gets[p].index) - detail::shared_elements(gets[p].index, has[d].index);
  std::vector<std::size_t> const chosen = detail::least_cost_assignment(missing, n);
  relabeling found;
  std::vector<device> order;
  for (std::size_t p = 0; p < n; ++p) {
    order.push_back(from.devices()[chosen[p]]);
    found.elements += missing[p * n + chosen[p]];
    found.in_order += missing[p * n + p];
  }
  found.mesh = found.changes() ? concrete_mesh(from.mesh().value(), order) : from.mesh();
  return found;
}

}  // namespace functions

}  // namespace tessera
