// SPDX-License-Identifier: Apache-2.0
#pragma once
// The channel of all processes of a test that mpiexec starts: tests/<stage>/<stem>_ranks.cpp.

#include <tessera/comm/mpi.hpp>

namespace tessera::testing {

inline channel& world() {
  static auto const it = mpi_channel();
  return *it;
}

}  // namespace tessera::testing
