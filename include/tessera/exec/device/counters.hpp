// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the execution did so far, in numbers that tests assert: launches and small steps run without one.

#include <cstdint>

namespace tessera {

struct launch_counts {
  std::int64_t launches = 0;  // parallel regions
  std::int64_t inlined = 0;   // steps too small for one, run by the calling thread
  std::int64_t steps() const { return launches + inlined; }
};

// Of the whole process, since its start. Any thread may ask.
launch_counts launches_so_far();

}  // namespace tessera
