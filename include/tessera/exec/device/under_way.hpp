// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages that run while this thread computes. Some move only while a thread calls their library, as those of MPI do
// between processes of a host: so it is called between steps and between the tiles of a launch.

#include <tessera/base/settings.hpp>
#include <tessera/comm/channel/channel.hpp>

#include <atomic>
#include <utility>

namespace tessera::detail {

// To measure what overlapping gives, and to find mistakes: TESSERA_OVERLAP in the environment.
enum class message_overlap : int {
  none,   // "none": each message is waited for where it is started
  steps,  // "steps": looked at between steps only
  full
};
inline std::atomic<message_overlap> overlap{
    [] { return static_cast<message_overlap>(overlap_setting(if_wrong::ignores)); }()};

// From here to the end of the scope: messages of that channel, or of none, and what was under way before.
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
