// SPDX-License-Identifier: Apache-2.0
// The digits example's translation unit: three programs (weights drawn, a training step with its
// gradient, accuracy), a loader, checkpoints.
// goal: 4 times Kokkos_Core.hpp
// budget: 8 times Kokkos_Core.hpp, 0.6 GB

#define DIGITS_CSV ""
#include "../../examples/digits/standard.cpp"
