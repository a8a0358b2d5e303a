// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cost of moving arrays: every copy that this thread makes while a log exists, with its bytes and its time.
//   ts::transfer_log log;
//   auto x = ts::device_put<ts::P<dp>>(data, mesh);
//   std::cout << log;          // device_put  67108864 bytes  0.004512 s  14.9 GB/s
// If nothing moves, nothing is recorded. The bytes are those written: each distinct block once. The time ends when the
// copy is done, for which a log waits on a GPU. Without a log, transfers are not timed.

#include <tessera/base/config.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct transfer_record {
  std::string_view what;   // device_put, device_get, reshard
  std::int64_t bytes = 0;  // written
  double seconds = 0;
};

// Logs nest: a copy is recorded in the newest log of its thread.
class transfer_log {
public:
  transfer_log();
  ~transfer_log();
  transfer_log(transfer_log const&) = delete;
  transfer_log& operator=(transfer_log const&) = delete;

  std::vector<transfer_record> const& transfers() const { return transfers_; }
  std::int64_t bytes() const;
  double seconds() const;
  void add(transfer_record const& t);

  // The newest log of this thread, or null.
  static transfer_log*& current();

private:
  transfer_log* outer_;
  std::vector<transfer_record> transfers_;
};

std::string to_string(transfer_log const& log);
std::ostream& operator<<(std::ostream& out, transfer_log const& log);

namespace detail {

// Records a copy in the thread's log from its beginning to the end of the block.
class timed_transfer {
public:
  explicit timed_transfer(std::string_view what, std::int64_t bytes = 0);
  ~timed_transfer();
  void wrote(std::int64_t bytes) { record_.bytes = bytes; }
  timed_transfer(timed_transfer const&) = delete;
  timed_transfer& operator=(timed_transfer const&) = delete;

private:
  transfer_log* log_;
  transfer_record record_;
  std::int64_t start_ = 0;  // nanoseconds
};

}  // namespace detail

}  // namespace tessera
