// SPDX-License-Identifier: Apache-2.0
// A training step of a GPT of two layers, one after the other.
// goal: 9 times Kokkos_Core.hpp, 0.7 GB
// budget: 10 times Kokkos_Core.hpp, 0.7 GB

#include "transformer.hpp"

auto step = &transformer::step_of<transformer::unrolled_types<2>>;
