// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel on an MPI communicator.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/mpi/job.hpp>
#include <tessera/comm/mpi/operation.hpp>

namespace tessera::detail {

class mpi_channel_model final : public channel {
public:
  mpi_channel_model(std::shared_ptr<job> all, std::string label, int rank, std::vector<int> ranks, MPI_Comm comm)
      : channel(std::move(all), std::move(label), rank, std::move(ranks)), comm_(comm) {}
  ~mpi_channel_model() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && !failed()) MPI_Comm_free(&comm_);
  }
  // Makes this the last channel of a job, where ranks meet after they have left all other channels.
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
    try {
      mpi_check("MPI_Comm_group", MPI_Comm_group(comm_, &whole));
      mpi_check("MPI_Group_incl", MPI_Group_incl(whole, static_cast<int>(ranks.size()), ranks.data(), &some));
      meet(ranks, label);
      mpi_watch const watch("MPI_Comm_create_group", state().deadline);
      mpi_check("MPI_Comm_create_group", MPI_Comm_create_group(comm_, some, 0, &made));
      mpi_check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
    } catch (comm_error const& error) {
      state().job->fail(error.what());
      throw;
    } catch (std::runtime_error const& error) {
      state().job->fail(error.what());
      throw comm_error(text_of_part(label) + " failed: " + error.what(), message_kind::split, label, 0, {});
    }
    MPI_Group_free(&some);
    MPI_Group_free(&whole);
    std::vector<int> in_job;
    for (int const rank : ranks) in_job.push_back(state().ranks[rank]);
    auto const mine = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank()) - ranks.begin());
    return std::make_shared<mpi_channel_model>(state().job, std::move(label), mine, std::move(in_job), made);
  }
  static std::string text_of_part(std::string const& label) {
    std::string text = "tessera: the channel ";
    text += label;
    return text;
  }
  // Returns when all of the ranks are here: MPI_Comm_create_group waits for them, and cannot be canceled.
  void meet(std::vector<int> const& ranks, std::string const& label) {
    constexpr int tag = 32001;  // above the tags of messages
    std::vector<MPI_Request> pending;
    std::vector<int> others;
    for (int const other : ranks)
      if (other != rank()) others.push_back(other);
    pending.reserve(2 * others.size());
    for (int const other : others)
      mpi_check("MPI_Irecv", MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag, comm_, &pending.emplace_back()));
    for (int const other : others)
      mpi_check("MPI_Isend", MPI_Isend(nullptr, 0, MPI_BYTE, other, tag, comm_, &pending.emplace_back()));
    double const begin = now();
    double look = begin + 0.05;
    for (std::size_t complete = 0; complete < pending.size();) {
      int done = 0;
      mpi_check("MPI_Test", MPI_Test(&pending[complete], &done, MPI_STATUS_IGNORE));
      if (done) {
        ++complete;
        continue;
      }
      if (double const time = now(); time > look) {
        look = time + 0.05;
        must_come(label, others, pending, time - begin > state().deadline);
      }
      std::this_thread::yield();
    }
  }
  // Throws if a rank is gone, or if the deadline has passed.
  void must_come(std::string const& label, std::vector<int> const& others, std::vector<MPI_Request>& pending,
                 bool late) {
    std::vector<int> missing;
    std::string who;
    bool gone = false;
    for (std::size_t k = 0; k < others.size(); ++k) {
      int here = 0;
      mpi_check("MPI_Test", MPI_Test(&pending[k], &here, MPI_STATUS_IGNORE));
      if (here) continue;
      int const in_job = state().ranks[others[k]];
      board_row const& row = state().job->board().row(in_job);
      peer one;
      if (row.state.load(std::memory_order_acquire) == rank_state::absent) {
        one.text = " on host ";
        one.text += state().job->host_name(in_job);
      } else {
        one.text = " (process ";
        append_number(one.text, row.process.load(std::memory_order_relaxed));
        one.text += ") has not come";
        look_at_process(row, false, one);
      }
      gone = gone || one.gone;
      missing.push_back(others[k]);
      who += "\n  rank ";
      append_number(who, others[k]);
      who += one.text;
    }
    if (missing.empty() || (!gone && !late)) return;
    std::string text = text_of_part(label) + (gone ? " cannot be made: a rank is gone." : " was not made");
    if (!gone) text += within(state().deadline).substr(sizeof " did not end" - 1);
    text += " Seen from rank ";
    append_number(text, rank());
    text += " of ";
    append_number(text, size());
    text += ':';
    text += who;
    text +=
        "\nFix: see what the ranks named above do (gdb -p <process>), or allow more time: TESSERA_DEADLINE=<seconds>.";
    throw comm_error(text, message_kind::split, label, 0, std::move(missing));
  }
  MPI_Comm comm_;
};

inline MPI_Comm mpi_own_comm(MPI_Comm of, double until) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request pending = MPI_REQUEST_NULL;
  mpi_check("MPI_Comm_idup", MPI_Comm_idup(of, &made, &pending));
  mpi_finish(pending, "a communicator of their own", until);
  mpi_check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  return made;
}

}  // namespace tessera::detail
