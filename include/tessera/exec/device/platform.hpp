// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where programs run, said without Kokkos: on the host, or on the accelerator that this file is compiled for.
// exec/device/space.hpp has Kokkos' names, and asks that they agree.

#include <tessera/exec/device/configuration.hpp>

namespace tessera {

// True when the execution space computes on host memory: Serial, OpenMP, Threads.
#if defined(TESSERA_ACCELERATOR)
inline constexpr bool runs_on_host = false;
#else
inline constexpr bool runs_on_host = true;
#endif

// True where the accelerator is a host that stands in for one: exec/device/stand_in.hpp.
#if defined(TESSERA_STAND_IN)
inline constexpr bool is_stand_in = true;
#else
inline constexpr bool is_stand_in = false;
#endif

// What JAX would call this platform.
inline constexpr char const* platform_name = runs_on_host ? "cpu" : "gpu";

namespace detail {
void wait_for_device();
}

// Waits for every launch before it. Host spaces block in each launch, so nothing is left to wait for there.
inline void fence() {
  if constexpr (!runs_on_host) detail::wait_for_device();
}

// Threads (host) that one launch is spread over.
int host_threads();

}  // namespace tessera
