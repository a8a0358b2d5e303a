// SPDX-License-Identifier: Apache-2.0
// The type-level umbrella alone.
// goal: 0.6 times Kokkos_Core.hpp
// budget: 1.1 times Kokkos_Core.hpp, 0.3 GB

#include <tessera/types.hpp>
