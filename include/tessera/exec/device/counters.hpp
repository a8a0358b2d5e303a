// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the execution did so far, in numbers that tests assert: launches and small steps run without one.

#include <atomic>
#include <cstdint>

namespace tessera {

struct launch_counts {
  std::int64_t launches = 0;  // parallel regions
  std::int64_t inlined = 0;   // steps too small for one, run by the calling thread
  std::int64_t steps() const { return launches + inlined; }
};

namespace detail {
struct atomic_launch_counts {
  std::atomic<std::int64_t> launches{0}, inlined{0};
};
inline atomic_launch_counts launch_counters;
}  // namespace detail

// Of the whole process, since its start. Any thread may ask.
inline launch_counts launches_so_far() {
  return {detail::launch_counters.launches.load(std::memory_order_relaxed),
          detail::launch_counters.inlined.load(std::memory_order_relaxed)};
}

}  // namespace tessera
