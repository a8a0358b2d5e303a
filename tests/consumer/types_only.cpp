// SPDX-License-Identifier: Apache-2.0
// The type level, without Kokkos and without a BLAS.

#include <tessera/types.hpp>

#include <cstdio>

#if defined(KOKKOS_VERSION)
#error "tessera/types.hpp includes Kokkos"
#endif

int main() { std::puts("types: ok"); }
