// SPDX-License-Identifier: Apache-2.0
// The digits example's translation unit: one training step traced, differentiated, planned and compiled, and its data
// moved there and back.
// goal: 4 times Kokkos_Core.hpp
// budget: 6 times Kokkos_Core.hpp, 0.6 GB

#define DIGITS_CSV ""
#include "../../examples/digits/standard.cpp"
