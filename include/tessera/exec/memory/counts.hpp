// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a memory pool has allocated and handed out.

#include <cstdint>

namespace tessera {

struct memory_counts {
  std::int64_t live_buffers = 0;        // handed out now
  std::int64_t live_bytes = 0;          // the bytes of their blocks
  std::int64_t held_bytes = 0;          // allocated from the system: in use or free for reuse
  std::int64_t system_allocations = 0;  // since the process started
};

}  // namespace tessera
