// SPDX-License-Identifier: Apache-2.0
#pragma once
// A report on the ranks that have not joined, as far as this host can tell.

#include <tessera/base/text.hpp>
#include <tessera/comm/diagnosis/launched.hpp>
#include <tessera/comm/diagnosis/process.hpp>

#include <dirent.h>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

// One line per other rank, first those that have not joined. Adds their ranks to `missing`.
inline std::string text_of_missing(launched_job const& job, std::vector<int>& missing) {
  std::string late, waiting;
  auto const others = job.others();
  int shown = 0, more = 0;
  auto const say = [&](std::string& to, int rank, std::string_view what, launched_process const* one = nullptr) {
    if (++shown > 16) {
      ++more;
      return;
    }
    to += "\n  rank ";
    append_number(to, rank);
    if (one != nullptr) {
      to += " (process ";
      append_number(to, one->process);
      if (!one->alike) (to += ", ") += one->program;
      to += ')';
    }
    to += what;
  };
  for (auto const& one : others) {
    bool const stopped = one.status.life == process_life::stopped;
    if (one.joins && !stopped) continue;
    missing.push_back(one.rank);
    say(late, one.rank, stopped ? ": its process is stopped by a signal" : ": has not come, and its process runs",
        &one);
  }
  int elsewhere = 0;
  for (int rank = 0; rank < job.size(); ++rank) {
    bool const there = std::any_of(others.begin(), others.end(), [&](auto const& one) { return one.rank == rank; });
    if (rank == job.rank() || there) continue;
    if (job.all_here()) {
      missing.push_back(rank);
      say(late, rank, ": no process of it runs any more");
    } else {
      ++elsewhere;
    }
  }
  for (auto const& one : others)
    if (one.joins && one.status.life != process_life::stopped)
      say(waiting, one.rank, ": has come and waits, too", &one);
  std::sort(missing.begin(), missing.end());
  late += waiting;
  if (elsewhere > 0) {
    late += "\n  ";
    append_number(late, elsewhere);
    late += elsewhere == 1 ? " rank has" : " ranks have";
    late += " no process on this host: what other hosts say tells more";
  }
  if (more > 0) {
    late += "\n  and ";
    append_number(late, more);
    late += " more";
  }
  return late;
}

}  // namespace tessera::detail
