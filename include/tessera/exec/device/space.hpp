// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where programs run: Kokkos' default execution space and its memory, the same on every build of one machine.

#include <Kokkos_Core.hpp>

namespace tessera {

using execution_space = Kokkos::DefaultExecutionSpace;
using execution_memory = execution_space::memory_space;

// True when the execution space computes on host memory: Serial, OpenMP, Threads.
inline constexpr bool runs_on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, execution_memory>::accessible;

// What JAX would call this platform.
inline constexpr char const* platform_name = runs_on_host ? "cpu" : "gpu";

// Waits for every launch before it. Host spaces block in each launch, so nothing is left to wait for there.
inline void fence() {
  if constexpr (!runs_on_host) execution_space().fence("tessera");
}

// Threads (host) that one launch is spread over.
inline int host_threads() {
  if constexpr (runs_on_host)
    return execution_space().concurrency();
  else
    return Kokkos::DefaultHostExecutionSpace().concurrency();
}

}  // namespace tessera
