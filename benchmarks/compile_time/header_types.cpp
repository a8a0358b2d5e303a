// SPDX-License-Identifier: Apache-2.0
// The type-level umbrella alone.
// goal: 0.6 times Kokkos_Core.hpp
// budget: 1.0 times Kokkos_Core.hpp, 0.25 GB

#include <tessera/types.hpp>
