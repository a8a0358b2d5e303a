// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks a message before it is sent, and tells the other ranks of it.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/diagnosis/wait.hpp>
#include <tessera/engine/comm/channel/channel_calls.hpp>

namespace tessera {
namespace detail {

// Copies the part of a message between a rank and itself: the whole message if there is one rank.
inline void do_alone(asked_message const& what) {
  if (what.kind == message_kind::barrier || what.kind == message_kind::broadcast) return;
  if (what.kind != message_kind::exchange) {
    if (what.out != what.in && what.count > 0) std::memmove(what.out, what.in, what.bytes());
    return;
  }
  auto const& from = what.sent[0];
  if (from.bytes > 0) std::memmove(what.out + what.received[0].offset, what.in + from.offset, from.bytes);
}

inline void check_message(channel_state const& here, asked_message const& what) {
  std::string problem;
  bool const combines = what.kind == message_kind::all_reduce || what.kind == message_kind::reduce_scatter;
  if (what.count < 0)
    problem = "a negative count";
  else if (what.root < 0 || what.root >= here.size())
    problem = "a root that is no rank";
  else if (combines && what.combine == monoid::none)
    problem = "no monoid";
  else if (combines && is_complex(what.element) && what.combine != monoid::sum && what.combine != monoid::product)
    problem = "complex numbers, which have no order";
  else if (what.kind == message_kind::exchange &&
           (what.sent.size() != here.ranks.size() || what.received.size() != here.ranks.size()))
    problem = "parts for another number of ranks";
  else if (what.kind == message_kind::exchange && what.sent[here.rank].bytes != what.received[here.rank].bytes)
    problem = "a part for itself that it does not receive";
  if (problem.empty()) return;
  std::string text = "tessera: ";
  text += text_of(what);
  text += " was given ";
  text += problem;
  text += '.';
  throw std::invalid_argument(text);
}

// Publishes number, kind, label and signature of a message on the job's board.
inline void publish(channel_state& here, asked_message const& what, std::string_view label) {
  if (!here.opened) {
    here.opened = true;
    here.slot = here.job->open_slot(here.id);
  }
  if (here.slot == nullptr) return;
  auto& slot = *here.slot;
  slot.kind.store(what.kind, std::memory_order_relaxed);
  slot.label.write(label);
  slot.signatures[static_cast<std::size_t>(here.number) % board_slot::remembered].store(signature(what),
                                                                                        std::memory_order_release);
  slot.started.store(here.number, std::memory_order_release);
  auto& row = here.job->row();
  row.latest.store(static_cast<std::uint32_t>(&slot - row.in.data()), std::memory_order_release);
}

}  // namespace detail
}  // namespace tessera
