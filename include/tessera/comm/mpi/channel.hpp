// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel upon a communicator of MPI, and how the first of a job is made.

#include <tessera/comm/channel.hpp>
#include <tessera/comm/mpi/job.hpp>
#include <tessera/comm/mpi/operation.hpp>

#include <numeric>

namespace tessera::detail {

class mpi_channel_model final : public channel {
public:
  mpi_channel_model(std::shared_ptr<job> all, std::string label, int rank, std::vector<int> ranks, MPI_Comm comm)
      : channel(std::move(all), std::move(label), rank, std::move(ranks)), comm_(comm) {}
  ~mpi_channel_model() override {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (!finalised && !failed()) MPI_Comm_free(&comm_);
  }
  // The last one of a job, in which ranks meet that have left all others.
  void make_last() {
    state().last = true;
    state().id = 2;
  }

private:
  std::unique_ptr<operation> make() override {
    return std::make_unique<mpi_operation>(comm_, mpi_process::get().ops, rank(), size());
  }
  std::shared_ptr<channel> part(std::string label, std::vector<int> const& ranks) override {
    MPI_Group whole = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    mpi_check(MPI_Comm_group(comm_, &whole));
    mpi_check(MPI_Group_incl(whole, static_cast<int>(ranks.size()), ranks.data(), &some));
    meet(ranks);  // this call waits, and has no deadline
    mpi_check(MPI_Comm_create_group(comm_, some, 0, &made));
    MPI_Group_free(&some);
    MPI_Group_free(&whole);
    mpi_check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
    std::vector<int> in_job;
    for (int const rank : ranks) in_job.push_back(state().ranks[static_cast<std::size_t>(rank)]);
    auto const mine = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank()) - ranks.begin());
    return std::make_shared<mpi_channel_model>(state().job, std::move(label), mine, std::move(in_job), made);
  }
  // Returns when all of them are here.
  void meet(std::vector<int> const& ranks) {
    constexpr int tag = 32001;  // above those of messages
    std::vector<MPI_Request> pending;
    for (int const other : ranks) {
      if (other == rank()) continue;
      mpi_check(MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag, comm_, &pending.emplace_back()));
      mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, other, tag, comm_, &pending.emplace_back()));
    }
    for (auto& one : pending) mpi_finish(one, "a channel of some of them");
  }
  MPI_Comm comm_;
};

inline MPI_Comm mpi_own_comm(MPI_Comm of) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request pending = MPI_REQUEST_NULL;
  mpi_check(MPI_Comm_idup(of, &made, &pending));
  mpi_finish(pending, "a communicator of their own");
  mpi_check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  return made;
}

inline std::vector<int> all_ranks(int ranks) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

inline std::shared_ptr<channel> mpi_join(MPI_Comm of) {
  MPI_Comm const world = mpi_own_comm(of), last = mpi_own_comm(of);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  mpi_hosts hosts(world, rank, ranks);
  auto board = hosts.make_board(ranks);
  std::string name = "mpi (";
  name += mpi_library();
  name += ')';
  auto const all = std::make_shared<mpi_job>(std::move(name), rank, std::move(board), std::move(hosts.of_rank),
                                             std::move(hosts.names));
  all->last = last;
  mpi_process::get().keep(all);
  // The job stays; what ends with its last channel is this rank's part in it.
  std::shared_ptr<job> const part(all.get(), [all](job*) { all->leave(); });
  auto made = std::make_shared<mpi_channel_model>(part, "world", rank, all_ranks(ranks), world);
  made->barrier("all ranks are there").wait();
  int everybody = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &everybody);
  if (ranks == everybody) unname_mpi_memory();
  return made;
}

// As MPI_Finalize begins: waits for the others, so that it need not; if they cannot come, ends the job.
inline int mpi_process::part(MPI_Comm, int, void*, void*) {
  auto& process = get();
  if (process.ending) std::_Exit(EXIT_FAILURE);
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
  return MPI_SUCCESS;
}

}  // namespace tessera::detail
