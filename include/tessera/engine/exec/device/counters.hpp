// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts of launches.

#include <tessera/base/config.hpp>
#include <tessera/exec/device/counters.hpp>
#include <tessera/exec/device/launch_counters.hpp>

namespace tessera {

TESSERA_ENGINE launch_counts launches_so_far() {
  return {detail::launch_counters.launches.load(std::memory_order_relaxed),
          detail::launch_counters.inlined.load(std::memory_order_relaxed)};
}

}  // namespace tessera
