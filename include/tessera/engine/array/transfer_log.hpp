// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times and logs transfers.

#include <tessera/array/transfer_log.hpp>
#include <tessera/exec/device/platform.hpp>

#include <chrono>
#include <cstdio>
#include <ostream>

namespace tessera {

TESSERA_ENGINE transfer_log*& transfer_log::current() {
  static thread_local transfer_log* log = nullptr;
  return log;
}
TESSERA_ENGINE transfer_log::transfer_log() : outer_(current()) { current() = this; }
TESSERA_ENGINE transfer_log::~transfer_log() { current() = outer_; }

TESSERA_ENGINE std::int64_t transfer_log::bytes() const {
  std::int64_t sum = 0;
  for (auto const& t : transfers_) sum += t.bytes;
  return sum;
}
TESSERA_ENGINE double transfer_log::seconds() const {
  double sum = 0;
  for (auto const& t : transfers_) sum += t.seconds;
  return sum;
}
TESSERA_ENGINE void transfer_log::add(transfer_record const& t) { transfers_.push_back(t); }

TESSERA_ENGINE std::string to_string(transfer_log const& log) {
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
TESSERA_ENGINE std::ostream& operator<<(std::ostream& out, transfer_log const& log) { return out << to_string(log); }

namespace detail {

inline std::int64_t nanoseconds_now() {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

TESSERA_ENGINE timed_transfer::timed_transfer(std::string_view what, std::int64_t bytes)
    : log_(transfer_log::current()), record_{what, bytes} {
  if (log_) start_ = nanoseconds_now();
}
TESSERA_ENGINE timed_transfer::~timed_transfer() {
  if (!log_) return;
  fence();
  record_.seconds = static_cast<double>(nanoseconds_now() - start_) * 1e-9;
  log_->add(record_);
}

}  // namespace detail

}  // namespace tessera
