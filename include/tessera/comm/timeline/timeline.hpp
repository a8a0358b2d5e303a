// SPDX-License-Identifier: Apache-2.0
#pragma once
// How steps and messages are recorded for exec/device/profiler_trace.hpp. Where nothing is recorded it costs a look at timeline_on.
// channel_run.hpp has the definitions with it.

#include <tessera/base/config.hpp>
#include <tessera/base/settings.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

class channel;

namespace detail {

enum class span_kind : std::uint8_t {
  call,     // of a program
  step,     // of it
  loop,     // whose steps are inside
  pack,     // what a message sends is added up and brought together
  start,    // of a message
  wait,     // for it
  unpack,   // what came goes to its place
  message,  // from its start until this process has seen that it came; in rows of its own
};

inline bool trace_is_asked_for() { return trace_setting() != nullptr; }
inline std::atomic<bool> timeline_on{trace_is_asked_for()};

// Nanoseconds.
inline std::int64_t timeline_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
inline std::int64_t timeline_begin() { return timeline_on.load(std::memory_order_relaxed) ? timeline_now() : 0; }

void start_timeline(std::string file);
// On all processes (null: alone), as the next.
void stop_timeline(channel* all);
// The end of a run whose environment asked for a trace.
void finish_timeline(channel* all);
// Something that began then and ends now, on this thread. `rank`: of the job; `facts`: members of a JSON object, if any.
void record_span(span_kind kind, int rank, std::string_view label, std::int64_t begin, std::string_view facts = {});
// The part of this process in a file of its own, since others may not come any more.
void save_timeline() noexcept;

// From here to the end of the scope. `label` outlives it.
class timed_span {
public:
  timed_span(span_kind kind, std::string_view label, int rank)
      : begin_(timeline_begin()), kind_(kind), rank_(rank), label_(label) {}
  timed_span(timed_span const&) = delete;
  timed_span& operator=(timed_span const&) = delete;
  ~timed_span() {
    if (begin_) record_span(kind_, rank_, label_, begin_);
  }

private:
  std::int64_t begin_;
  span_kind kind_;
  int rank_;
  std::string_view label_;
};

}  // namespace detail
}  // namespace tessera
