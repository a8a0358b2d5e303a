// SPDX-License-Identifier: Apache-2.0
// The same step with kernels from the engine: none is compiled for this program.
// goal: 4 times Kokkos_Core.hpp
// budget: 6 times Kokkos_Core.hpp, 0.7 GB

#define TESSERA_KERNELS engine
#include "transformer.hpp"

auto step = &transformer::step_of<transformer::unrolled_types<2>>;
