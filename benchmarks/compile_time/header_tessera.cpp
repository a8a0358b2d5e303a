// SPDX-License-Identifier: Apache-2.0
// The umbrella alone.
// goal: 1 times Kokkos_Core.hpp
// budget: 3 times Kokkos_Core.hpp, 0.6 GB

#include <tessera/tessera.hpp>
