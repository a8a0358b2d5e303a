// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums over the threads of a team.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/device/element_group.hpp>
#include <tessera/exec/fused/element_loops.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera::detail {

// The threads that reduce one row: those of the host's lanes, or, of long rows, as many as take 16 elements each. A thread
// takes groups of neighbors: thread 1 begins with elements 4 to 7 and goes on with those 4 * threads later. The rows that a processor of a GPU has under way, at most 2,048 threads, then fit in its cache, and a second pass over
// a row reads them there. Each reduction of a row of so many columns adds in the same order.
constexpr int threads_for_row(std::int64_t columns) {
  auto const wanted = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, columns)) / 16 + 1) / 2;
  return static_cast<int>(std::clamp<std::uint64_t>(wanted, block_size, most_threads_a_team));
}

// Adds to `own` the elements of a row that are this thread's.
template <class A, class T, class Combine>
TESSERA_FUNCTION void add_row(team_member const& team, int threads, T const* row, std::int64_t step,
                              std::int64_t columns, A& own, Combine const& combine) {
  for (std::int64_t j = team.rank() * group_size; j < columns; j += threads * group_size) {
    int const count = columns - j < group_size ? static_cast<int>(columns - j) : group_size;
    load_group(row + j * step, step, count, [&](int k, T x) {
      if (k < count) own = combine(own, static_cast<A>(x));
    });
  }
}

// The sum over a team of `threads`, a power of two, as a tree. All threads return it. `parts` has room for one value per thread.
template <class A, class Combine>
TESSERA_FUNCTION A sum_of_team(team_member const& team, int threads, A* parts, A own, Combine const& combine) {
  int const at = team.rank();
  parts[at] = own;
  int half = threads / 2;
#if defined(__CUDA_ARCH__)  // the same tree; its last levels within a warp
  if constexpr (sizeof(A) % 4 == 0) {
    for (; half >= 32; half /= 2) {
      team.barrier();
      if (at < half) parts[at] = combine(parts[at], parts[at + half]);
    }
    if (at < 32) {
      A sum = parts[at];
      for (; half > 0; half /= 2) sum = combine(sum, value_of_later_lane(sum, half));
      if (at == 0) parts[0] = sum;
    }
    half = 0;
  }
#endif
  for (; half > 0; half /= 2) {
    team.barrier();
    if (at < half) parts[at] = combine(parts[at], parts[at + half]);
  }
  team.barrier();
  return parts[0];
}

}  // namespace tessera::detail
