// SPDX-License-Identifier: Apache-2.0
// What the same step communicates: traced, differentiated and planned, without kernels.
// goal: 4 times Kokkos_Core.hpp
// budget: 5 times Kokkos_Core.hpp, 0.9 GB

#include "transformer.hpp"

static_assert(transformer::communication_of_step<transformer::unrolled_types<2>>.count() == 9);
