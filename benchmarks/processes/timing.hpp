// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times of what all processes call.

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace processes {

// Until it is complete, giving the core away: more processes than cores come along.
inline void finish(MPI_Request pending) {
  for (int done = 0; !done;) {
    MPI_Test(&pending, &done, MPI_STATUS_IGNORE);
    if (!done) sched_yield();
  }
}
template <class Start>
void finish_of(Start const& start) {
  MPI_Request pending = MPI_REQUEST_NULL;
  start(&pending);
  finish(pending);
}

// Of the slowest process, between two barriers.
template <class F>
double once(F const& call, int times = 1) {
  finish_of([](MPI_Request* r) { MPI_Ibarrier(MPI_COMM_WORLD, r); });
  double const begin = MPI_Wtime();
  for (int i = 0; i < times; ++i) call();
  double took = (MPI_Wtime() - begin) / times;
  finish_of([&](MPI_Request* r) { MPI_Iallreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, r); });
  return took;
}

// 0.5: the median.
inline double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

}  // namespace processes
