// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranks that are processes of an MPI job: MPICH, Open MPI and implementations based on them.

#include <tessera/comm/mpi/join.hpp>

#include <cstdlib>

namespace tessera {

// The channel of all processes of `of`; all of them call it. It uses a communicator of its own. It initializes MPI if
// it is not initialized, and then finalizes it when the process exits. It requests MPI_THREAD_SERIALIZED, which is
// enough. Before MPI_Finalize all ranks wait for each other, with the deadline; if a message has failed, the job is
// ended instead.
inline std::shared_ptr<channel> mpi_channel(MPI_Comm of = MPI_COMM_NULL) {
  detail::mpi_process::initialize();
  return detail::mpi_join(of == MPI_COMM_NULL ? MPI_COMM_WORLD : of);
}

namespace detail {
// Whether mpiexec or srun started this process as one of several.
inline bool started_by_launcher() {
  for (char const* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"})
    if (char const* const text = std::getenv(name); text && *text) return true;
  return false;
}
inline std::shared_ptr<channel> processes_of_run(int&, char**) {
  return started_by_launcher() ? mpi_channel() : nullptr;
}
}  // namespace detail

}  // namespace tessera
