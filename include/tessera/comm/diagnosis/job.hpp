// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state that all channels of a rank share: the hosts of its job's ranks, the messages in flight, and the failure.

#include <tessera/base/settings.hpp>
#include <tessera/base/text.hpp>
#include <tessera/comm/channel/message_kind.hpp>
#include <tessera/comm/diagnosis/board.hpp>
#include <tessera/comm/diagnosis/process.hpp>
#include <tessera/comm/timeline/timeline.hpp>

#include <cstdio>
#include <exception>
#include <memory>

namespace tessera::detail {

// Ranks here are ranks of the job.
class job {
public:
  // `hosts`: the host number of each rank; `host_names`: the name of each host number.
  job(std::string name, int rank, std::shared_ptr<detail::board> board, std::vector<int> hosts,
      std::vector<std::string> host_names)
      : name_(std::move(name)),
        rank_(rank),
        board_(std::move(board)),
        hosts_(std::move(hosts)),
        host_names_(std::move(host_names)),
        exceptions_(std::uncaught_exceptions()) {
    auto& mine = row();
    mine.process_begin.store(status_of(::getpid()).begin, std::memory_order_relaxed);
    mine.process_space.store(process_space(), std::memory_order_relaxed);
    mine.process.store(::getpid(), std::memory_order_relaxed);
    mine.state.store(rank_state::running, std::memory_order_release);
  }
  job(job const&) = delete;
  job& operator=(job const&) = delete;
  virtual ~job() { leave(); }

  std::string const& name() const { return name_; }
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(hosts_.size()); }
  int host(int rank) const { return hosts_[rank]; }
  std::string const& host_name(int rank) const { return host_names_[host(rank)]; }
  detail::board& board() { return *board_; }
  board_row& row() { return board_->row(rank_); }

  // Makes progress on all messages in flight.
  void progress() {
    for (std::size_t i = 0; i < under_way.size();) {
      operation* const one = looked_at = under_way[i];
      if (one->advance()) {
        one->complete = true;
        if (one->begun) record_message(*one);
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(i));  // the other messages keep their order
      } else {
        ++i;
      }
    }
  }

  void record_message(operation const& what) const {
    std::string facts = R"("kind":")";
    facts += name_of(what.asked.kind);
    facts += R"(","bytes":)";
    std::int64_t bytes = what.asked.bytes();
    for (auto const& part : what.sent) bytes += part.bytes;
    append_number(facts, bytes);
    record_span(span_kind::message, rank_, what.label, what.begun, facts);
  }

  // Takes a slot of this rank's row, and returns it. The state of a closed channel stays readable until its slot is
  // reused. Null if every slot is in use.
  board_slot* open_slot(std::uint64_t channel) {
    board_slot* found = nullptr;
    std::int64_t oldest = -1;
    for (int i = 0; i < board_row::slots; ++i) {
      auto const& use = used_[i];
      if (use.open || (oldest >= 0 && use.closed >= oldest)) continue;
      oldest = use.closed;
      found = &row().in[i];
    }
    if (found == nullptr) return nullptr;
    used_[found - row().in.data()].open = true;
    found->channel.store(0, std::memory_order_release);
    found->started.store(0, std::memory_order_release);
    found->awaited.store(0, std::memory_order_release);
    found->channel.store(channel, std::memory_order_release);
    return found;
  }
  void close_slot(board_slot const* slot) {
    if (slot != nullptr) used_[slot - row().in.data()] = {false, ++closings_};
  }

  // From now on no message is sent, and the other ranks can see why.
  void fail(std::string_view why) {
    if (!failure.empty()) return;
    failure = why;
    row().reason.write(why);
    row().state.store(rank_state::failed, std::memory_order_release);
  }
  void leave() {
    if (std::uncaught_exceptions() > exceptions_) fail("it left by an exception");
    auto expected = rank_state::running;
    row().state.compare_exchange_strong(expected, rank_state::left, std::memory_order_acq_rel);
  }

  // Ends all ranks, including this one.
  [[noreturn]] virtual void end() { std::_Exit(EXIT_FAILURE); }

  std::vector<operation*> under_way;
  operation* looked_at = nullptr;                    // by progress: tells which operation threw
  std::vector<std::unique_ptr<operation>> given_up;  // the failed library may still write to their memory
  std::string failure;

private:
  std::string name_;
  int rank_;
  std::shared_ptr<detail::board> board_;
  std::vector<int> hosts_;
  std::vector<std::string> host_names_;
  int exceptions_;
  struct slot_use {
    bool open = false;
    std::int64_t closed = 0;  // a higher number was closed later
  };
  std::array<slot_use, board_row::slots> used_{};
  std::int64_t closings_ = 0;
};

}  // namespace tessera::detail
