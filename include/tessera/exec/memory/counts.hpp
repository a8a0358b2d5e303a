// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a pool of memory has taken and handed out.

#include <cstdint>

namespace tessera {

struct memory_counts {
  std::int64_t live_buffers = 0;        // handed out now
  std::int64_t live_bytes = 0;          // their blocks
  std::int64_t held_bytes = 0;          // taken from the system, live or waiting
  std::int64_t system_allocations = 0;  // since the start
};

}  // namespace tessera
