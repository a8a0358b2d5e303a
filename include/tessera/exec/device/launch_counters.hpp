// SPDX-License-Identifier: Apache-2.0
#pragma once
// The counters of launches.

#include <atomic>
#include <cstdint>

namespace tessera::detail {

struct atomic_launch_counts {
  std::atomic<std::int64_t> launches{0}, inlined{0};
};
inline atomic_launch_counts launch_counters;

}  // namespace tessera::detail
