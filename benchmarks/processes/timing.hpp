// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times of what all processes call.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace processes {

// Of the slowest process, between two barriers.
template <class F>
double once(F const& call, int times = 1) {
  MPI_Barrier(MPI_COMM_WORLD);
  double const begin = MPI_Wtime();
  for (int i = 0; i < times; ++i) call();
  double took = (MPI_Wtime() - begin) / times;
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took;
}

// 0.5: the median.
inline double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

}  // namespace processes
