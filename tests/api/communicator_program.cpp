// SPDX-License-Identifier: Apache-2.0
// A program that has initialized MPI itself, and in which a part of its processes, a communicator of its own, runs programs of
// Tessera while the others do something else.

#include <tessera/tessera.hpp>

#include <tessera/comm/mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  int level = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  bool const other = size > 2 && rank >= size / 2;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, other, -rank, &part);  // the last of them is process 0
  bool wrong = false;
  if (!other) {
    ts::runtime const runtime{argc, argv, ts::mpi_channel(part), 4};
    int own = 0, of = 0;
    MPI_Comm_rank(part, &own);
    MPI_Comm_size(part, &of);
    auto const x = ts::device_put<ts::P<dp>>(ts::host<8>(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}),
                                             ts::make_mesh<line>(ts::devices()));
    wrong = ts::process_index() != own || ts::process_count() != of || ts::sum(x * x).item() != 140;
  }
  MPI_Comm_free(&part);
  int sum = wrong;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && sum == 0) std::puts("140 in all processes of the communicator");
  MPI_Finalize();
  return sum == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
