// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where programs run: Kokkos' default execution space and its memory, the same for all files of a build.

#include <tessera/exec/device/platform.hpp>

#include <Kokkos_Core.hpp>

namespace tessera {

using execution_space = Kokkos::DefaultExecutionSpace;
using execution_memory = execution_space::memory_space;

static_assert(
    (runs_on_host || is_stand_in) == Kokkos::SpaceAccessibility<Kokkos::HostSpace, execution_memory>::accessible,
    "tessera: Kokkos' default execution space is not what this compiler compiles for. Fix: nvcc or hipcc for a "
    "Kokkos with CUDA or HIP, and for no other.");

}  // namespace tessera
