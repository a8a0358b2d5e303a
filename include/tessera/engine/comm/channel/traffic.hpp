// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a communicator has done: calls and bytes of each kind over each set of axes. Counted from the blocks that were
// handed over; a collective that another step does is counted as its plan says, and tests/plan/crossings_test.cpp compares
// that with what such steps read.

#include <tessera/engine/comm/channel/exchange.hpp>

#include <mutex>
#include <vector>

namespace tessera {

struct traffic_entry {
  collective kind{};
  axis_set axes{};
  std::int64_t calls = 0;
  std::int64_t bytes = 0;  // sent per device under the ring model
};

// Any thread may count and ask.
class traffic {
public:
  void count(collective kind, axis_set axes, std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    for (auto& e : entries_)
      if (e.kind == kind && e.axes == axes) {
        ++e.calls;
        e.bytes += bytes;
        return;
      }
    entries_.push_back({kind, axes, 1, bytes});
  }
  std::int64_t calls(collective kind) const {
    return total([&](traffic_entry const& e) { return e.kind == kind ? e.calls : 0; });
  }
  std::int64_t calls(collective kind, axis_set axes) const {
    return total([&](traffic_entry const& e) { return e.kind == kind && e.axes == axes ? e.calls : 0; });
  }
  std::int64_t calls() const {
    return total([](traffic_entry const& e) { return e.calls; });
  }
  // Of every collective that takes part over this axis.
  std::int64_t bytes_over(int axis) const {
    return total([&](traffic_entry const& e) { return e.axes.contains(axis) ? e.bytes : 0; });
  }
  std::int64_t bytes() const {
    return total([](traffic_entry const& e) { return e.bytes; });
  }
  std::vector<traffic_entry> entries() const {
    std::lock_guard const lock(mutex_);
    return entries_;
  }
  // Keeps its memory: counting goes on without allocation.
  void reset() {
    std::lock_guard const lock(mutex_);
    for (auto& e : entries_) e.calls = e.bytes = 0;
  }

private:
  template <class F>
  std::int64_t total(F const& of) const {
    std::lock_guard const lock(mutex_);
    std::int64_t sum = 0;
    for (auto const& e : entries_) sum += of(e);
    return sum;
  }
  mutable std::mutex mutex_;
  std::vector<traffic_entry> entries_;
};

}  // namespace tessera
