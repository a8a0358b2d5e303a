// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waiting for a message: how often to check the other ranks, when to give up, and the error text.

#include <tessera/comm/diagnosis/watch.hpp>

#include <chrono>
#include <thread>

namespace tessera::detail {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Why a wait ends before its message is complete.
enum class wait_end : std::uint8_t { deadline, gone, disagree, model };

// Adds a line for each rank of the job that failed and is not in this channel.
inline void append_failed_elsewhere(std::string& text, channel_state const& here) {
  job& all = *here.job;
  for (int rank = 0; rank < all.size(); ++rank) {
    board_row const& row = all.board().row(rank);
    if (row.state.load(std::memory_order_acquire) != rank_state::failed || rank == all.rank() ||
        std::find(here.ranks.begin(), here.ranks.end(), rank) != here.ranks.end())
      continue;
    text += "\n  rank ";
    append_number(text, rank);
    text += " of the job, not of this channel, failed: ";
    append_first_line(text, row.reason.read());
  }
}

// The ranks that the others wait for. A rank that waits itself is not to blame, and a failed rank names the missing
// ones. If the library failed, a rank that is merely late is not missing.
inline std::vector<int> missing_of(wait_end why, std::vector<peer> const& peers) {
  std::vector<int> missing;
  auto const take = [&](auto of) {
    for (auto const& who : peers)
      if (of(who)) missing.push_back(who.rank);
  };
  bool const late = why != wait_end::model;
  take([&](peer const& who) {
    return !who.failed && (who.disagrees || who.ended || (who.behind && (who.gone || (late && !who.waits))));
  });
  if (missing.empty()) take([](peer const& who) { return who.behind && who.gone; });
  if (missing.empty()) take([&](peer const& who) { return who.failed || (late && (who.behind || who.gone)); });
  return missing;
}

inline comm_error comm_error_of(channel_state const& here, operation const& what, wait_end why, std::string_view said,
                                std::vector<peer> const& peers) {
  std::vector<int> missing = missing_of(why, peers);
  std::string text = "tessera: ";
  text += text_of(what.asked);
  text += ", ";
  append_label(text, what.label);
  if (why == wait_end::deadline) {
    text += ", did not end within ";
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g s", here.deadline);
    text += seconds;
  } else if (why == wait_end::model) {
    text += ", failed: ";
    text += said;
  } else {
    text += why == wait_end::gone ? ", cannot end: a rank is gone" : ", cannot end: the ranks disagree about it";
  }
  text += ".\n  It is message ";
  append_number(text, what.number);
  text += " of channel ";
  text += here.label;
  text += ", seen from rank ";
  append_number(text, here.rank);
  text += " of ";
  append_number(text, here.size());
  text += ", ";
  text += here.name;
  auto const importance_of = [](peer const& who) {
    return who.disagrees || who.gone ? 0 : !who.seen || who.stopped ? 1 : who.behind ? 2 + who.waits : 4;
  };
  constexpr int most = 8;
  int shown = 0;
  for (int importance = 0; importance < 5; ++importance)
    for (auto const& who : peers) {
      if (importance_of(who) != importance || ++shown > most) continue;
      text += "\n  ";
      text += who.text;
    }
  if (shown > most) {
    text += "\n  and ";
    append_number(text, shown - most);
    text += " more";
  }
  append_failed_elsewhere(text, here);
  text +=
      why == wait_end::disagree ? "\nFix: all ranks of a channel start the same messages in the same order."
      : why == wait_end::deadline
          ? "\nFix: see what the ranks named above do (gdb -p <process>), or allow more time: TESSERA_DEADLINE=<seconds>."
          : "\nFix: see what the ranks named above have printed.";
  return comm_error(text, what.asked.kind, what.label, what.number, std::move(missing));
}

// Checks whether a message can still complete; the caller decides how often.
class patience {
public:
  patience(channel_state& here, operation const& what)
      : here_(here), what_(what), begin_(now()), next_look_(begin_ + look) {
    if (here_.slot != nullptr) here_.slot->awaited.store(what.number, std::memory_order_release);
  }
  ~patience() {
    if (here_.slot != nullptr) here_.slot->awaited.store(0, std::memory_order_release);
  }
  patience(patience const&) = delete;
  patience& operator=(patience const&) = delete;

  // Yields the processor for a moment. Throws if the message can no longer complete.
  void pause() {
    double const time = now();
    if (time >= next_look_) {
      assess(time);
      next_look_ = now() + look;
    }
    if (time - begin_ < look)  // large messages progress only when they are polled
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }

private:
  static constexpr double look = 0.05;  // seconds between checks of the other ranks
  static constexpr double grace = 1;    // seconds in which the last messages of an ended rank arrive

  void assess(double time) {
    auto const peers = look_at_all(here_, what_.number, signature(what_.asked));
    bool hopeless = false, doubtful = false, disagree = false;
    for (auto const& who : peers) {
      disagree = disagree || who.disagrees;
      hopeless = hopeless || (who.gone && who.behind);
      doubtful = doubtful || who.ended;
    }
    auto& all = *here_.job;
    for (int rank = 0; rank < all.size() && !doubtful; ++rank)
      doubtful =
          rank != all.rank() && all.board().row(rank).state.load(std::memory_order_acquire) == rank_state::failed;
    if (!doubtful) doubt_began_ = -1;
    if (doubtful && doubt_began_ < 0) doubt_began_ = time;
    bool const gone = hopeless || (doubtful && time - doubt_began_ > grace);
    bool const late = time - begin_ > here_.deadline;
    if (!disagree && !gone && !late) return;
    throw comm_error_of(here_, what_,
                        disagree ? wait_end::disagree
                        : gone   ? wait_end::gone
                                 : wait_end::deadline,
                        "", peers);
  }

  channel_state& here_;
  operation const& what_;
  double begin_, next_look_, doubt_began_ = -1;
};

}  // namespace tessera::detail
