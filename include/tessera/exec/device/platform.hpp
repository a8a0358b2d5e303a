// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where programs run, without Kokkos' names: on the host, or on the accelerator that this file is compiled for.
// exec/device/space.hpp has Kokkos' names and checks that they agree.

#include <tessera/exec/device/configuration.hpp>

namespace tessera {

// True when the execution space computes on host memory: Serial, OpenMP, Threads.
#if defined(TESSERA_ACCELERATOR)
inline constexpr bool runs_on_host = false;
#else
inline constexpr bool runs_on_host = true;
#endif

// True where the host stands in for an accelerator: exec/device/stand_in.hpp.
#if defined(TESSERA_STAND_IN)
inline constexpr bool is_stand_in = true;
#else
inline constexpr bool is_stand_in = false;
#endif

// The platform's name in JAX.
inline constexpr char const* platform_name = runs_on_host ? "cpu" : "gpu";

namespace detail {
void wait_for_device();
}

// Waits for all earlier launches. On a host space each launch blocks, so there is nothing to wait for.
inline void fence() {
  if constexpr (!runs_on_host) detail::wait_for_device();
}

// The number of host threads that one launch is spread over.
int host_threads();

}  // namespace tessera
