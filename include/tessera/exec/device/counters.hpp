// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts of what has run so far, for tests: launches, and steps too small for a launch.

#include <cstdint>

namespace tessera {

struct launch_counts {
  std::int64_t launches = 0;  // parallel regions
  std::int64_t inlined = 0;   // steps too small for one, run by the calling thread
  std::int64_t steps() const { return launches + inlined; }
};

// Counts of the whole process since its start. Any thread may call it.
launch_counts launches_so_far();

}  // namespace tessera
