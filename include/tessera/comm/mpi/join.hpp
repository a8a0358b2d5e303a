// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the processes of an MPI job meet, and how they end.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/mpi/channel.hpp>
#include <tessera/comm/mpi/job.hpp>

#include <numeric>

namespace tessera::detail {

inline std::vector<int> all_ranks(int ranks) {
  std::vector<int> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

inline std::shared_ptr<channel> mpi_meet(MPI_Comm of) {
  double const deadline = deadline_setting(), until = now() + deadline;
  std::shared_ptr<mpi_job> all;
  MPI_Comm world = MPI_COMM_NULL;
  int rank = 0, ranks = 1;
  {
    mpi_watch const watch("the meeting of the processes", deadline + 1);  // if a call blocks
    mpi_process::get().part_first();
    world = mpi_own_comm(of, until);
    MPI_Comm const last = mpi_own_comm(of, until);
    mpi_check("MPI_Comm_rank", MPI_Comm_rank(world, &rank));
    mpi_check("MPI_Comm_size", MPI_Comm_size(world, &ranks));
    mpi_hosts hosts(world, rank, ranks, until);
    auto board = hosts.make_board();
    std::string name = "mpi (";
    name += mpi_library();
    name += ')';
    all = std::make_shared<mpi_job>(std::move(name), rank, std::move(board), std::move(hosts.of_rank),
                                    std::move(hosts.names));
    all->last = last;
  }
  mpi_process::get().keep(all);
  // The job object stays. When its last channel ends, this rank leaves the job.
  std::shared_ptr<job> const part(all.get(), [all](job*) { all->leave(); });
  auto made = std::make_shared<mpi_channel_model>(part, "world", rank, all_ranks(ranks), world);
  made->barrier("all ranks are there").wait();
  int everybody = 0;
  mpi_check("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &everybody));
  if (ranks == everybody) unname_mpi_memory();
  return made;
}

// Joins the processes of `of`. If that fails, the error is kept: this process then ends the job, whose other processes
// may wait for it.
inline std::shared_ptr<channel> mpi_join(MPI_Comm of) {
  try {
    return mpi_meet(of);
  } catch (comm_error const& error) {
    mpi_process::get().broken = error.what();
    throw;
  } catch (std::runtime_error const& error) {
    mpi_process::get().broken = error.what();
    throw comm_error("tessera: the processes of the job do not meet: " + mpi_process::get().broken, message_kind::split,
                     "all ranks are there", 0, {});
  }
}

// Called at the start of MPI_Finalize: waits for the other ranks. If they cannot come, it ends the job.
inline int mpi_process::part(MPI_Comm, int, void*, void*) {
  auto& process = get();
  if (process.ending) std::_Exit(EXIT_FAILURE);
  if (!process.broken.empty()) process.end_broken();
  for (auto const& one : process.jobs_) {
    one->leave();
    if (one->failure.empty()) {
      mpi_channel_model last(one, "last", one->rank(), all_ranks(one->size()), one->last);
      last.make_last();
      try {
        last.barrier("the end of all ranks").wait();
        continue;
      } catch (std::exception const& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
    } else {
      std::fprintf(stderr, "[rank %d] ends the job, since a message has failed: %s\n", one->rank(),
                   one->failure.substr(0, one->failure.find('\n')).c_str());
    }
    one->end();
  }
  process.jobs_.clear();
  process.ops.free();
  // The watch ends with MPI, or with the process.
  [[maybe_unused]] static auto* const watch = new mpi_watch("MPI_Finalize", deadline_setting(), mpi_call::parts);
  return MPI_SUCCESS;
}

}  // namespace tessera::detail
