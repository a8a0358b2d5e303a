// SPDX-License-Identifier: Apache-2.0
#pragma once
// Queries of Kokkos at run time.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/device/platform.hpp>

#include <Kokkos_Core.hpp>

namespace tessera {

TESSERA_ENGINE void detail::wait_for_device() { fence_device(); }

TESSERA_ENGINE int host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

}  // namespace tessera
