// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops over elements in memory, outermost first: sorted by their steps, joined where they are one run, and a flat place as
// an index of each.

#include <tessera/base/config.hpp>

#include <cstdint>

namespace tessera::detail {

// A loop has an `extent`, and its steps in one array or several as members. Or it is an extent alone.
TESSERA_FUNCTION constexpr std::int64_t extent_of(std::int64_t extent) { return extent; }
template <class Loop>
TESSERA_FUNCTION constexpr std::int64_t extent_of(Loop const& loop) {
  return loop.extent;
}

// f(loop, index) for each loop that the flat place is not at the start of, the last first: as jnp.unravel_index.
template <class Loop, class F>
TESSERA_FUNCTION constexpr void unravel(Loop const* loops, int count, std::int64_t flat, F const& f) {
#if defined(__CUDA_ARCH__)  // a division of 64 bits costs as much as seventy other operations
  if (static_cast<std::uint64_t>(flat) >> 32 == 0) {
    auto left = static_cast<std::uint32_t>(flat);
    for (int d = count - 1; d >= 0 && left != 0; --d) {
      std::int64_t const extent = extent_of(loops[d]);
      if (extent > left) return f(d, std::int64_t{left});
      auto const next = left / static_cast<std::uint32_t>(extent);
      f(d, std::int64_t{left - next * static_cast<std::uint32_t>(extent)});
      left = next;
    }
    return;
  }
#endif
  for (int d = count - 1; d >= 0 && flat != 0; --d) {
    std::int64_t const extent = extent_of(loops[d]);
    f(d, flat % extent);
    flat /= extent;
  }
}

template <class Loops>
constexpr std::int64_t extents_product(Loops const& loops) {
  std::int64_t product = 1;
  for (auto const& loop : loops) product *= extent_of(loop);
  return product;
}

// Is a step of the outer loop as far as all of the inner one, by each of these steps?
template <class Loop, class... Step>
constexpr bool one_run(Loop const& outer, Loop const& inner, Step Loop::*... step) {
  return ((outer.*step == inner.*step * inner.extent) && ...);
}

// The longest steps first; equal ones stay in order.
template <class Loops, class Step>
constexpr void sort_loops(Loops& loops, Step const& step) {
  for (int i = 1; i < loops.size(); ++i)
    for (int j = i; j > 0 && step(loops[j - 1]) < step(loops[j]); --j) {
      auto const shorter = loops[j - 1];
      loops[j - 1] = loops[j];
      loops[j] = shorter;
    }
}

// Loops of extent 1 go; neighbors for which joins(outer, inner) become one, with the inner one's steps.
template <class Loops, class Joins>
constexpr void join_loops(Loops& loops, Joins const& joins) {
  Loops kept;
  for (auto loop : loops) {
    if (loop.extent == 1) continue;
    if (kept.empty() || !joins(kept[kept.size() - 1], loop)) {
      kept.push_back(loop);
    } else {
      loop.extent *= kept[kept.size() - 1].extent;
      kept[kept.size() - 1] = loop;
    }
  }
  loops = kept;
}

}  // namespace tessera::detail
