// SPDX-License-Identifier: Apache-2.0
#pragma once
// MPI calls that wait for other processes and cannot be canceled. A thread watches them, reports which ranks are
// missing, and ends the process and with it the job.

#include <tessera/comm/diagnosis/launched.hpp>
#include <tessera/comm/diagnosis/missing_ranks.hpp>
#include <tessera/comm/diagnosis/wait.hpp>
#include <tessera/comm/mpi/mpich_memory.hpp>

#include <condition_variable>
#include <mutex>

#include <mpi.h>
#include <pthread.h>
#include <signal.h>

namespace tessera::detail {

// The text for a call that waits in vain. `missing`: ranks of the job.
inline std::string text_of_vain_wait(launched_job const& job, std::string_view call, std::string_view why,
                                     std::vector<int>& missing) {
  std::string text = "tessera: ";
  text += call;
  text += why;
  text += " Seen from";
  if (job.known()) {
    text += " rank ";
    append_number(text, job.rank());
    if (job.size() > 0) {
      text += " of ";
      append_number(text, job.size());
    }
    text += ',';
  }
  text += " process ";
  append_number(text, ::getpid());
  text += " on host ";
  text += host_name();
  text += ':';
  text += job.known() ? text_of_missing(job, missing) : "\n  the launcher does not say which processes there are";
  text +=
      "\nFix: all processes of a job create a runtime, or call mpi_channel; see what those named above do (gdb -p "
      "<process>), or allow more time: TESSERA_DEADLINE=<seconds>.";
  return text;
}

inline std::string within(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, " did not end within %g s.", seconds);
  return text;
}

// What a watched call does. A call in which processes meet needs all of them: if one of this host has ended, the wait
// ends at once. Where they part, the others may have ended already.
enum class mpi_call : std::uint8_t { meets, parts };

// Until the end of the scope, or until MPI is finalized, a call may take `seconds`.
class mpi_watch {
public:
  mpi_watch(char const* call, double seconds, mpi_call kind = mpi_call::meets)
      : call_(call), seconds_(seconds), kind_(kind) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);  // signals are for the program's own threads
    thread_ = std::thread([this] { watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~mpi_watch() {
    {
      std::lock_guard const lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  mpi_watch(mpi_watch const&) = delete;
  mpi_watch& operator=(mpi_watch const&) = delete;

private:
  static constexpr double look = 0.1;  // seconds until the first check of the others, and between checks

  void watch() {
#if defined(__linux__)
    pthread_setname_np(pthread_self(), joining_thread);
#endif
    double const begin = now();
    std::vector<launched_process> seen;
    std::unique_lock lock(mutex_);
    for (double next = begin + look;;) {
      double const until = std::min(next, begin + seconds_);
      if (changed_.wait_for(lock, std::chrono::duration<double>(until - now()), [&] { return done_; })) return;
      if (now() >= begin + seconds_) end(within(seconds_));
      if (kind_ == mpi_call::parts) {
        int over = 0;  // may be called by any thread, at any time
        if (MPI_Finalized(&over) == MPI_SUCCESS && over) return;
        next = now() + look;
        continue;
      }
      // Checks become rarer: they cost a little, and most calls end soon.
      next = now() + std::min(1.0, std::max(look, (now() - begin) / 4));
      if (!seen.empty()) {
        bool const gone = std::any_of(seen.begin(), seen.end(), [](launched_process const& one) {
          auto const status = status_of(one.process);
          return status.life == process_life::ended || status.begin != one.status.begin;
        });
        if (!gone) continue;
        auto const there = job_.others();
        for (auto const& one : seen) {
          bool const still = std::any_of(there.begin(), there.end(), [&](auto const& o) { return o.rank == one.rank; });
          if (!still) end(" cannot end: a rank is gone.");
        }
      }
      seen = job_.others();
    }
  }
  [[noreturn]] void end(std::string const& why) {
    std::vector<int> missing;
    std::string text = text_of_vain_wait(job_, call_, why, missing);
    text += '\n';
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    unname_mpi_memory();
    // Its end makes mpiexec close its pipes; what was printed must have passed through them before.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::_Exit(EXIT_FAILURE);  // MPI_Abort must not run beside a thread that is inside MPI
  }

  char const* call_;
  double seconds_;
  mpi_call kind_;
  launched_job job_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace tessera::detail
