// SPDX-License-Identifier: Apache-2.0
// A training step of a GPT of six layers, one after the other.
// nightly
// goal: 14 times Kokkos_Core.hpp, 1 GB
// budget: 17 times Kokkos_Core.hpp, 1.1 GB

#include "transformer.hpp"

auto step = &transformer::step_of<transformer::unrolled_types<6>>;
