// SPDX-License-Identifier: Apache-2.0
// The digits example's translation unit: one training step traced, differentiated, planned and compiled, and its data
// moved there and back.
// budget: 20 times Kokkos_Core.hpp, 2 GB

#define DIGITS_CSV ""
#include "../../examples/digits/standard.cpp"
