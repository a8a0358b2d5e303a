// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meetings of ranks that are threads: one for each message of their channel.

#include <tessera/comm/channel/message_kind.hpp>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tessera {
namespace detail {

// One message of a channel: all ranks arrive, then each copies its input to `given`, then each reads what it needs.
struct meeting {
  explicit meeting(std::size_t ranks) : given(ranks), signatures(ranks), sent(ranks) {}
  std::atomic<int> come{0}, laid_out{0};
  int begun = 0;  // calls of meet() so far
  std::vector<std::vector<std::byte>> given;
  std::vector<std::uint64_t> signatures;
  std::vector<std::vector<message_part>> sent;  // exchange: parts of `given`
};

// The pending meetings of a channel's ranks.
class hall {
public:
  explicit hall(int ranks) : ranks_(ranks) {}
  std::shared_ptr<meeting> meet(std::int64_t number) {
    std::lock_guard const lock(mutex_);
    auto& one = meetings_[number];
    if (!one) one = std::make_shared<meeting>(ranks_);
    auto const found = one;
    if (++one->begun == ranks_) meetings_.erase(number);
    return found;
  }
  // The hall of some of this hall's ranks; each of these ranks asks for it for the nth time.
  std::shared_ptr<hall> part(std::vector<int> const& ranks, int nth) {
    std::lock_guard const lock(mutex_);
    auto const count = static_cast<int>(ranks.size());
    auto& [one, come] = parts_[{ranks, nth}];
    if (!one) one = std::make_shared<hall>(count);
    auto const found = one;
    if (++come == count) parts_.erase({ranks, nth});
    return found;
  }

private:
  int ranks_;
  std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<meeting>> meetings_;
  std::map<std::pair<std::vector<int>, int>, std::pair<std::shared_ptr<hall>, int>> parts_;
};

}  // namespace detail
}  // namespace tessera
