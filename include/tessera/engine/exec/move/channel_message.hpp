// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective whose devices belong to several processes, with its addresses worked out: what this process combines and
// moves itself, one message to the others, and where what they send goes. What lies in pieces is brought together in
// staging memory of the call's arena; long runs are sent from where they lie.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/engine/exec/device/program_span.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/exec/device/under_way.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

struct message_step {
  // Bytes of the frame.
  struct byte_run {
    int slot = -1;
    std::int64_t first = 0, bytes = 0;
    std::byte* of(std::byte* const* frame) const { return frame[slot] + first; }
  };
  struct piece {
    int peer = 0;  // a rank of `over`; one piece for each
    byte_run at{};
  };
  // Launches that run one after the other; the transfers of one run together.
  using phases = std::vector<std::vector<transfer_work>>;

  collective kind{};  // all_reduce, reduce_scatter; others are pieces
  collective counted{};
  axis_set axes{};
  std::int64_t bytes = 0;  // sent per device under the ring model
  std::shared_ptr<channel> over;
  phases before, after;
  std::vector<piece> sends, receives;
  byte_run out{}, in{};  // of what is combined
  dtype element{};
  monoid combine = monoid::none;
  std::int64_t count = 0;  // elements of `out`
  int staging_slot = -1;
  std::int64_t staging_bytes = 0, scratch_bytes = 0;

  // A step that is a message; what another step has made is sent behind that one: bound_step::then.
  static bool takes(step_binding const& b) { return b.sends && b.is_collective(); }
  static message_step bind(step_binding& b);
  void run(step_run const& r) const;
};

inline void run_phases(message_step::phases const& phases, span_kind kind, std::string const& label,
                       std::byte* const* frame) {
  if (phases.empty()) return;
  program_span const timed(kind, label);
  for (auto const& phase : phases)
    if (!phase.empty()) run_transfers(label, {phase.data(), static_cast<int>(phase.size())}, frame);
}

inline request begin_message(message_step const& m, std::string const& label, std::byte* const* frame) {
  if (m.kind == collective::all_reduce)
    return m.over->all_reduce(m.out.of(frame), m.in.of(frame), m.count, m.element, m.combine, label);
  if (m.kind == collective::reduce_scatter)
    return m.over->reduce_scatter(m.out.of(frame), m.in.of(frame), m.count, m.element, m.combine, label);
  std::byte* const staging = frame[m.staging_slot];
  auto const ranks = static_cast<std::size_t>(m.over->size());
  std::vector<message_part> sent(ranks), received(ranks);
  auto const part = [&](message_step::piece const& p) {
    auto const at = reinterpret_cast<std::uintptr_t>(p.at.of(frame)) - reinterpret_cast<std::uintptr_t>(staging);
    return message_part{static_cast<std::int64_t>(at), p.at.bytes};
  };
  for (auto const& p : m.sends) sent[p.peer] = part(p);
  for (auto const& p : m.receives) received[p.peer] = part(p);
  return m.over->exchange(staging, received, staging, sent, label);
}
// The first half: nothing that the message reads or writes may be touched until the second has run.
inline request start_message(message_step const& m, std::string const& label, std::byte* const* frame) {
  run_phases(m.before, span_kind::pack, label, frame);
  fence();
  request sent = begin_message(m, label, frame);
  if (overlap == message_overlap::none) sent.wait();
  return sent;
}
inline void finish_message(message_step const& m, request& sent, std::string const& label, std::byte* const* frame) {
  sent.wait();
  run_phases(m.after, span_kind::unpack, label, frame);
}
inline void message_step::run(step_run const& r) const {
  request sent = start_message(*this, r.label, r.frame);
  finish_message(*this, sent, r.label, r.frame);
}

}  // namespace tessera::detail
