// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of channels that does not depend on the model: checks, numbers, publishes and counts messages, and keeps the
// pending operations.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/diagnosis/wait.hpp>
#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/engine/comm/channel/channel_calls.hpp>
#include <tessera/engine/comm/channel/check_message.hpp>

namespace tessera {

namespace detail {

[[noreturn]] inline void fail_with(channel_state& here, comm_error const& error) {
  here.job->fail(error.what());
  throw error;
}
[[noreturn]] inline void fail_with(channel_state& here, operation const& what, std::string_view said) {
  // A model may report the end of a rank ("no such process") before the rank's process is seen to have ended.
  std::vector<peer> peers;
  bool disagree = false, gone = false;
  for (double const until = now() + 1; !disagree && !gone;) {
    peers = look_at_all(here, what.number, signature(what.asked));
    for (auto const& who : peers) disagree = disagree || who.disagrees, gone = gone || who.gone;
    if (now() > until) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  fail_with(here, comm_error_of(here, what, disagree ? wait_end::disagree : wait_end::model, said, peers));
}

inline void progress(job& all) {
  try {
    all.progress();
  } catch (std::runtime_error const& error) {
    fail_with(*all.looked_at->of, *all.looked_at, error.what());
  }
}

}  // namespace detail

TESSERA_ENGINE channel::channel(std::shared_ptr<detail::job> job, std::string label, int rank, std::vector<int> ranks)
    : state_(std::make_unique<detail::channel_state>()) {
  state_->job = std::move(job);
  state_->name = state_->job->name();
  state_->label = std::move(label);
  state_->rank = rank;
  state_->ranks = std::move(ranks);
}

TESSERA_ENGINE channel::~channel() {
  auto& all = *state_->job;
  all.close_slot(state_->slot);
  for (auto& one : state_->operations) {
    auto const found = std::find(all.under_way.begin(), all.under_way.end(), one.get());
    if (found == all.under_way.end()) continue;
    all.under_way.erase(found);
    all.given_up.push_back(std::move(one));
  }
}

TESSERA_ENGINE int channel::rank() const { return state_->rank; }
TESSERA_ENGINE int channel::size() const { return state_->size(); }
TESSERA_ENGINE std::string const& channel::name() const { return state_->name; }
TESSERA_ENGINE bool channel::host_memory() const { return state_->host_memory; }
TESSERA_ENGINE int channel::host(int rank) const { return state_->job->host(state_->ranks.at(rank)); }
TESSERA_ENGINE std::string const& channel::host_name(int rank) const {
  return state_->job->host_name(state_->ranks.at(rank));
}
TESSERA_ENGINE double channel::deadline() const { return state_->deadline; }
TESSERA_ENGINE void channel::deadline(double seconds) { state_->deadline = seconds; }
TESSERA_ENGINE std::int64_t channel::calls(message_kind kind) const { return state_->calls[static_cast<int>(kind)]; }
TESSERA_ENGINE std::int64_t channel::bytes(message_kind kind) const { return state_->bytes[static_cast<int>(kind)]; }
TESSERA_ENGINE bool channel::failed() const { return !state_->job->failure.empty(); }
TESSERA_ENGINE std::string const& channel::failure() const { return state_->job->failure; }

TESSERA_ENGINE void channel::abort(std::string_view why) {
  auto& all = *state_->job;
  all.fail(why);
  detail::save_timeline();
  std::string line = "[rank ";
  append_number(line, all.rank());
  line += "] ";
  line += why;
  line += '\n';
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  all.end();
  std::_Exit(EXIT_FAILURE);
}

TESSERA_ENGINE request channel::begin(detail::asked_message const& what, std::string_view label) {
  auto& here = *state_;
  detail::check_message(here, what);
  if (failed()) throw comm_error(failure(), what.kind, std::string(label), here.number + 1, {});
  ++here.number;
  auto const kind = static_cast<std::size_t>(what.kind);
  ++here.calls[kind];
  bool const parts = what.kind == message_kind::reduce_scatter || what.kind == message_kind::all_to_all;
  here.bytes[kind] += parts ? what.bytes() * here.size() : what.bytes();
  for (auto const& part : what.sent) here.bytes[kind] += part.bytes;
  if (here.size() == 1 && here.host_memory) {
    detail::do_alone(what);
    return {};
  }
  detail::publish(here, what, label);

  detail::operation* made = nullptr;
  if (here.idle.empty()) {
    made = here.operations.emplace_back(make()).get();
  } else {
    made = here.idle.back();
    here.idle.pop_back();
  }
  made->of = &here;
  made->asked = what;
  made->sent.assign(what.sent.begin(), what.sent.end());
  made->received.assign(what.received.begin(), what.received.end());
  made->asked.sent = made->sent;
  made->asked.received = made->received;
  made->number = here.number;
  made->label = label;
  made->complete = false;
  detail::timed_span const timed(detail::span_kind::start, made->label, here.job->rank());
  made->begun = detail::timeline_begin();
  here.job->under_way.push_back(made);
  try {
    made->start();
  } catch (std::runtime_error const& error) {
    detail::fail_with(here, *made, error.what());
  }
  return request(this, made);
}

TESSERA_ENGINE void channel::release(detail::operation*& what) { state_->idle.push_back(std::exchange(what, nullptr)); }

TESSERA_ENGINE bool channel::advance(detail::operation*& what) {
  auto& here = *state_;
  if (failed()) throw comm_error(failure(), what->asked.kind, what->label, what->number, {});
  detail::progress(*here.job);
  if (!what->complete) return false;
  release(what);
  return true;
}

TESSERA_ENGINE void channel::await(detail::operation*& what) {
  detail::timed_span const timed(detail::span_kind::wait, what->label, state_->job->rank());
  constexpr int eager = 64;  // polls before the thread yields the processor
  for (int i = 0; i < eager; ++i)
    if (advance(what)) return;
  detail::patience wait(*state_, *what);
  while (!advance(what)) {
    try {
      wait.pause();
    } catch (comm_error const& error) {
      if (advance(what)) return;  // it has completed in the meantime
      detail::fail_with(*state_, error);
    }
  }
}

TESSERA_ENGINE void channel::progress() {
  if (failed()) throw comm_error(failure(), message_kind::barrier, "progress", state_->number, {});
  detail::progress(*state_->job);
}

TESSERA_ENGINE void channel::wait_all(std::span<request> requests) {
  for (auto& one : requests) one.wait();
}

TESSERA_ENGINE request::~request() {
  if (operation_ == nullptr || channel_->failed()) return;
  try {
    channel_->await(operation_);
  } catch (std::exception const& error) {  // the next message throws this error again
    std::fprintf(stderr, "%s\n", error.what());
  }
}
TESSERA_ENGINE void request::wait() {
  if (operation_ != nullptr) channel_->await(operation_);
}
TESSERA_ENGINE bool request::test() { return operation_ == nullptr || channel_->advance(operation_); }

}  // namespace tessera

#include <tessera/engine/comm/timeline/timeline.hpp>
