// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages in flight while this thread computes. Some progress only inside calls of their library, like MPI messages
// between processes of one host, so progress is made between steps and between the tiles of a launch.

#include <tessera/base/settings.hpp>
#include <tessera/comm/channel/channel.hpp>

#include <atomic>
#include <utility>

namespace tessera::detail {

// How messages overlap with computation, for measurements and debugging: TESSERA_OVERLAP in the environment.
enum class message_overlap : int {
  none,   // "none": each message is waited for where it is started
  steps,  // "steps": messages progress between steps only
  full
};
inline std::atomic<message_overlap> overlap{
    [] { return static_cast<message_overlap>(overlap_setting(if_wrong::ignores)); }()};

// Until the end of the scope, progress is made on messages of channel `of`; if `of` is null, of the enclosing scope's
// channel.
class under_way {
public:
  explicit under_way(channel* of) : before_(looked_at_) {
    if (of) looked_at_ = of;
  }
  under_way(under_way const&) = delete;
  under_way& operator=(under_way const&) = delete;
  ~under_way() { looked_at_ = before_; }

  static void progress() {
    if (looked_at_) looked_at_->progress();
  }
  static void progress_between_tiles() {
    if (looked_at_ && overlap.load(std::memory_order_relaxed) == message_overlap::full) looked_at_->progress();
  }

private:
  channel* before_;
  inline static constinit thread_local channel* looked_at_ = nullptr;
};

}  // namespace tessera::detail
