// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Kokkos is asked while it runs, and what was counted of it: the definitions of platform.hpp and counters.hpp.

#include <tessera/exec/device/counters.hpp>
#include <tessera/exec/device/launch_counters.hpp>
#include <tessera/exec/device/platform.hpp>

#include <Kokkos_Core.hpp>

namespace tessera {

TESSERA_ENGINE void detail::wait_for_device() { Kokkos::DefaultExecutionSpace().fence("tessera"); }

TESSERA_ENGINE int host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

TESSERA_ENGINE launch_counts launches_so_far() {
  return {detail::launch_counters.launches.load(std::memory_order_relaxed),
          detail::launch_counters.inlined.load(std::memory_order_relaxed)};
}

}  // namespace tessera
