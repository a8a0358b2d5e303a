// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts a communicator's calls and bytes of each kind over each set of axes, from the blocks that it was given. A
// collective that another step performs is counted as its plan says; tests/plan/crossings_test.cpp compares these
// counts with what such steps read.

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

// All functions may be called by any thread.
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
  // The bytes of all collectives whose axes include this one.
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
  // Keeps the entries, so that counting does not allocate.
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
