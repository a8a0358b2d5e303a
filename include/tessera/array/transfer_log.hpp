// SPDX-License-Identifier: Apache-2.0
#pragma once
// What moving arrays costs: every copy that this thread makes while a log lives, with its bytes and its time.
//   ts::transfer_log log;
//   auto x = ts::device_put<ts::P<dp>>(data, mesh);
//   std::cout << log;          // device_put  67108864 bytes  0.004512 s  14.9 GB/s
// Nothing is written down where nothing moves. The bytes are those written: each distinct block once. The time ends when
// the copy is done, which on a GPU is waited for. Without a log, transfers take no notice of time.

#include <tessera/exec/device/space.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct transfer_record {
  std::string_view what;   // device_put, device_get, reshard
  std::int64_t bytes = 0;  // written
  double seconds = 0;
};

// Logs nest: a copy is noted by the youngest of its thread.
class transfer_log {
public:
  transfer_log() : outer_(current()) { current() = this; }
  ~transfer_log() { current() = outer_; }
  transfer_log(transfer_log const&) = delete;
  transfer_log& operator=(transfer_log const&) = delete;

  std::vector<transfer_record> const& transfers() const { return transfers_; }
  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (auto const& t : transfers_) sum += t.bytes;
    return sum;
  }
  double seconds() const {
    double sum = 0;
    for (auto const& t : transfers_) sum += t.seconds;
    return sum;
  }
  void add(transfer_record const& t) { transfers_.push_back(t); }

  static transfer_log*& current() {
    static thread_local transfer_log* log = nullptr;
    return log;
  }

private:
  transfer_log* outer_;
  std::vector<transfer_record> transfers_;
};

inline std::string to_string(transfer_log const& log) {
  std::string text;
  for (auto const& t : log.transfers()) {
    char line[128];
    double const rate = t.seconds > 0 ? static_cast<double>(t.bytes) * 1e-9 / t.seconds : 0;
    std::snprintf(line, sizeof line, "%-10.*s  %12lld bytes  %.6f s  %.1f GB/s\n", static_cast<int>(t.what.size()),
                  t.what.data(), static_cast<long long>(t.bytes), t.seconds, rate);
    text += line;
  }
  return text.empty() ? "nothing moved\n" : text;
}
inline std::ostream& operator<<(std::ostream& out, transfer_log const& log) { return out << to_string(log); }

namespace detail {

// Notes a copy in the thread's log from its beginning to the end of the block.
class timed_transfer {
  using clock = std::chrono::steady_clock;

public:
  explicit timed_transfer(std::string_view what, std::int64_t bytes = 0)
      : log_(transfer_log::current()), record_{what, bytes} {
    if (log_) start_ = clock::now();
  }
  ~timed_transfer() {
    if (!log_) return;
    fence();
    record_.seconds = std::chrono::duration<double>(clock::now() - start_).count();
    log_->add(record_);
  }
  void wrote(std::int64_t bytes) { record_.bytes = bytes; }
  timed_transfer(timed_transfer const&) = delete;
  timed_transfer& operator=(timed_transfer const&) = delete;

private:
  transfer_log* log_;
  transfer_record record_;
  clock::time_point start_{};
};

}  // namespace detail

}  // namespace tessera
