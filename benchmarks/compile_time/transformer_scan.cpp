// SPDX-License-Identifier: Apache-2.0
// A training step of a GPT of six layers as a scan over stacked parameters.
// nightly
// goal: 9 times Kokkos_Core.hpp
// budget: 9.5 times Kokkos_Core.hpp, 0.7 GB

#include "transformer.hpp"

auto step = &transformer::step_of<transformer::scanned_types<6>>;
