// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records steps and messages for exec/device/profiler_trace.hpp. Without a trace it costs one load of timeline_on.

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
  step,     // of a call
  loop,     // with its steps inside
  pack,     // the input of a message is added up and copied into one buffer
  start,    // of a message
  wait,     // for a message
  unpack,   // the received data is copied to its place
  message,  // from its start until this process sees its completion; in rows of its own
};

inline bool trace_is_asked_for() { return trace_setting() != nullptr; }
inline std::atomic<bool> timeline_on{trace_is_asked_for()};

// Nanoseconds.
inline std::int64_t timeline_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
inline std::int64_t timeline_begin() { return timeline_on.load(std::memory_order_relaxed) ? timeline_now() : 0; }

void start_timeline(std::string file);
// Called on all processes, like finish_timeline. Null: this process is alone.
void stop_timeline(channel* all);
// Called at the end of a run whose environment requested a trace.
void finish_timeline(channel* all);
// Records a span from `begin` until now on this thread. `rank`: of the job; `facts`: members of a JSON object, if any.
void record_span(span_kind kind, int rank, std::string_view label, std::int64_t begin, std::string_view facts = {});
// Writes the spans of this process to a file of its own, because the others may not come any more.
void save_timeline() noexcept;

// Records a span that lasts until the end of the scope. `label` must outlive it.
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
