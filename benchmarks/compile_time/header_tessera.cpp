// SPDX-License-Identifier: Apache-2.0
// The umbrella alone.
// goal: 1 times Kokkos_Core.hpp
// budget: 1.5 times Kokkos_Core.hpp, 0.4 GB

#include <tessera/tessera.hpp>
