// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the ranks that keep a message from completing: read from the board, without their help.

#include <tessera/base/text.hpp>
#include <tessera/comm/diagnosis/channel_state.hpp>

namespace tessera::detail {

struct peer {
  int rank = 0;
  bool seen = false;       // its row can be read here
  bool behind = false;     // has not begun the message
  bool waits = false;      // waits for an earlier message, or in another channel
  bool disagrees = false;  // has started a different message in its place
  bool gone = false;       // will start no more messages: left, failed or ended
  bool failed = false;     // reported by the rank itself
  bool ended = false;      // its process has ended
  bool stopped = false;
  std::string text;
};

inline std::string_view word_of(monoid combine) {
  constexpr std::string_view names[]{"none", "sum", "product", "max", "min", "logical_and", "logical_or"};
  return names[static_cast<int>(combine)];
}

// "all_reduce (sum) of 4096 float32"
inline std::string text_of(asked_message const& what) {
  std::string text(name_of(what.kind));
  bool const combines = what.kind == message_kind::all_reduce || what.kind == message_kind::reduce_scatter;
  if (combines) {
    text += " (";
    text += word_of(what.combine);
    text += ") of ";
    append_number(text, what.count);
    text += ' ';
    text += name_of(what.element);
  } else if (what.kind != message_kind::exchange && what.kind != message_kind::barrier &&
             what.kind != message_kind::split) {
    text += " of ";
    append_number(text, what.count);
    text += " bytes";
  }
  return text;
}

inline void append_label(std::string& text, std::string_view label) {
  text += '"';
  text += label;
  text += '"';
}

inline void append_first_line(std::string& text, std::string_view lines) { text += lines.substr(0, lines.find('\n')); }

inline void append_last(std::string& text, board_slot const& slot) {
  text += name_of(slot.kind.load(std::memory_order_relaxed));
  text += ' ';
  append_label(text, slot.label.read());
}

// Whether the process of a row still runs.
inline void look_at_process(board_row const& row, bool last, peer& who) {
  auto const state = row.state.load(std::memory_order_acquire);
  who.failed = state == rank_state::failed;
  who.gone = who.failed || (state == rank_state::left && !last);
  if (who.failed) {
    who.text += "; it failed: ";
    append_first_line(who.text, row.reason.read());
  } else if (who.gone) {
    who.text += "; it has left";
  } else if (row.process_space.load(std::memory_order_acquire) == process_space()) {
    auto const status = status_of(row.process.load(std::memory_order_acquire));
    who.ended = status.life == process_life::ended || status.begin != row.process_begin.load(std::memory_order_acquire);
    who.gone = who.ended;
    who.stopped = status.life == process_life::stopped;
    who.text += who.gone ? "; its process has ended" : who.stopped ? "; its process is stopped by a signal" : "";
  }
}

// The state of the channel's rank `rank` with respect to message `number` of this rank.
inline peer look_at(channel_state const& here, int rank, std::int64_t number, std::uint64_t agreed) {
  peer who;
  who.rank = rank;
  int const job_rank = here.ranks[rank];
  job& all = *here.job;
  board_row const& row = all.board().row(job_rank);
  who.text = "rank ";
  append_number(who.text, rank);
  if (row.state.load(std::memory_order_acquire) == rank_state::absent) {
    who.text += " on host ";
    who.text += all.host_name(job_rank);
    who.text += ": not seen from here";
    return who;
  }
  who.seen = true;
  who.text += " (";
  if (here.size() != all.size()) {
    who.text += "of the job rank ";
    append_number(who.text, job_rank);
    who.text += ", ";
  }
  who.text += "process ";
  append_number(who.text, row.process.load(std::memory_order_relaxed));
  who.text += ") ";

  board_slot const* const slot = find_slot(row, here.id);
  std::int64_t const started = slot == nullptr ? 0 : slot->started.load(std::memory_order_acquire);
  who.behind = started < number;
  if (who.behind) {
    board_slot const& latest = row.in[row.latest.load(std::memory_order_acquire)];
    bool const elsewhere = &latest != slot && latest.started.load(std::memory_order_acquire) > 0;
    who.text += "has not begun it";
    if (started == 0) {
      who.text += ", nor anything in this channel";
    } else {
      who.text += "; its last here is message ";
      append_number(who.text, started);
      who.text += ", ";
      append_last(who.text, *slot);
    }
    if (elsewhere) {
      who.text += ", later in another channel ";
      append_last(who.text, latest);
    }
    who.waits = (slot != nullptr && slot->awaited.load(std::memory_order_acquire) != 0) ||
                (elsewhere && latest.awaited.load(std::memory_order_acquire) != 0);
    who.text += who.waits ? "; it waits for that" : "; it waits for no message";
  } else {
    who.disagrees = started - number < board_slot::remembered &&
                    slot->signatures[static_cast<std::size_t>(number) % board_slot::remembered].load(
                        std::memory_order_acquire) != agreed;
    if (who.disagrees) {
      who.text += "has begun something else in its place";
      if (started == number) {
        who.text += ": ";
        append_last(who.text, *slot);
      }
    } else {
      who.text += started == number ? "has begun it" : "has begun it and more";
    }
  }
  look_at_process(row, here.last, who);
  return who;
}

inline std::vector<peer> look_at_all(channel_state const& here, std::int64_t number, std::uint64_t agreed) {
  std::vector<peer> all;
  for (int rank = 0; rank < here.size(); ++rank)
    if (rank != here.rank) all.push_back(look_at(here, rank, number, agreed));
  return all;
}

}  // namespace tessera::detail
