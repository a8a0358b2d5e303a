// SPDX-License-Identifier: Apache-2.0
// The whole library, as a user links it.

#include <tessera/tessera.hpp>

#include <Kokkos_Core.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos{argc, argv};
  std::printf("run: ok, %s\n", Kokkos::DefaultExecutionSpace::name());
}
