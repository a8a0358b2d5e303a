// SPDX-License-Identifier: Apache-2.0
#pragma once
// A bound collective whose devices belong to several processes: the sums and moves within this process, one message to
// the others, and the use of what they send. Scattered parts are packed in staging memory of the call's arena; long
// runs are sent from where they are.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/engine/exec/device/program_span.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/exec/device/under_way.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

struct message_step {
  // A run of bytes in the memory of a frame's slot.
  struct byte_run {
    int slot = -1;
    std::int64_t first = 0, bytes = 0;
    std::byte* of(std::byte* const* frame) const { return frame[slot] + first; }
  };
  struct piece {
    int peer = 0;  // a rank of `over`; at most one piece per peer
    byte_run at{};
  };
  // Launches that run one after the other; all transfers of a phase are one launch.
  using phases = std::vector<std::vector<transfer_work>>;

  collective kind{};  // all_reduce or reduce_scatter; others use pieces
  collective counted{};
  axis_set axes{};
  std::int64_t bytes = 0;  // sent per device under the ring model
  std::shared_ptr<channel> over;
  phases before, after;
  std::vector<piece> sends, receives;
  byte_run out{}, in{};  // of a reduction
  dtype element{};
  monoid combine = monoid::none;
  std::int64_t count = 0;  // elements of `out`
  int staging_slot = -1;
  std::int64_t staging_bytes = 0, scratch_bytes = 0;

  // True for a step that is a message. A message after another kind of step is bound_step::then.
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

// A pending message. If arrays are in an accelerator's memory and the channel needs host memory, it sends and receives
// copies.
class sent_message {
public:
  sent_message() = default;
  sent_message(message_step const& m, std::string const& label, std::byte* const* frame)
      : through_host_(!runs_on_host && m.over->host_memory()) {
    if (m.kind == collective::all_reduce || m.kind == collective::reduce_scatter)
      combine(m, label, frame);
    else
      exchange(m, label, frame);
  }
  sent_message(sent_message&&) noexcept = default;
  sent_message& operator=(sent_message&&) noexcept = default;

  void wait() {
    request_.wait();
    for (auto const& part : received_) copy_bytes(part.to, staged_.data() + part.first, part.bytes, true);
    received_.clear();
  }

private:
  struct staged_part {
    std::byte* to;
    std::size_t first, bytes;
  };
  // Reserves bytes in the host copies, and copies `from` there unless it is null.
  std::size_t stage(std::byte const* from, std::size_t bytes) {
    std::size_t const first = staged_.size();
    staged_.resize(first + (bytes + 15) / 16 * 16);
    if (from) copy_bytes(staged_.data() + first, from, bytes, false);
    return first;
  }

  void combine(message_step const& m, std::string const& label, std::byte* const* frame) {
    std::byte *out = m.out.of(frame), *in = m.in.of(frame);
    if (through_host_) {
      std::size_t const bytes = m.count * bytes_of(m.element);
      bool const reduces = m.kind == collective::all_reduce;
      std::size_t const from = stage(in, reduces ? bytes : bytes * m.over->size());
      std::size_t const to = stage(nullptr, bytes);
      received_.push_back({out, to, bytes});
      in = staged_.data() + from;
      out = staged_.data() + to;
    }
    request_ = m.kind == collective::all_reduce ? m.over->all_reduce(out, in, m.count, m.element, m.combine, label)
                                                : m.over->reduce_scatter(out, in, m.count, m.element, m.combine, label);
  }
  void exchange(message_step const& m, std::string const& label, std::byte* const* frame) {
    std::byte* base = frame[m.staging_slot];
    std::size_t const ranks = m.over->size();
    std::vector<message_part> sent(ranks), received(ranks);
    auto const part = [&](message_step::piece const& p, bool in) {
      std::byte* const at = p.at.of(frame);
      if (!through_host_)
        return message_part{reinterpret_cast<std::intptr_t>(at) - reinterpret_cast<std::intptr_t>(base), p.at.bytes};
      std::size_t const bytes = p.at.bytes;
      std::size_t const first = stage(in ? nullptr : at, bytes);
      if (in) received_.push_back({at, first, bytes});
      return message_part{static_cast<std::int64_t>(first), p.at.bytes};
    };
    for (auto const& p : m.sends) sent[p.peer] = part(p, false);
    for (auto const& p : m.receives) received[p.peer] = part(p, true);
    if (through_host_) base = staged_.data();
    request_ = m.over->exchange(base, received, base, sent, label);
  }

  bool through_host_ = false;
  std::vector<std::byte> staged_;
  std::vector<staged_part> received_;
  request request_;  // declared last: it is waited for before the copies are destroyed
};
// Starts the message: until finish_message returns, the memory that it reads or writes must not be accessed.
inline sent_message start_message(message_step const& m, std::string const& label, std::byte* const* frame) {
  run_phases(m.before, span_kind::pack, label, frame);
  if (runs_on_host || m.over->host_memory()) fence();  // a channel for device memory orders itself after the launches
  sent_message sent(m, label, frame);
  if (overlap == message_overlap::none) sent.wait();
  return sent;
}
inline void finish_message(message_step const& m, sent_message& sent, std::string const& label,
                           std::byte* const* frame) {
  sent.wait();
  run_phases(m.after, span_kind::unpack, label, frame);
}
inline void message_step::run(step_run const& r) const {
  sent_message sent = start_message(*this, r.label, r.frame);
  finish_message(*this, sent, r.label, r.frame);
}

}  // namespace tessera::detail
