// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where ranks that are threads meet: one meeting for each message of their channel.

#include <tessera/comm/channel/message_kind.hpp>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tessera {
namespace detail {

// One message of a channel: all come, then each lays out what it gives, then each takes what it needs.
struct meeting {
  explicit meeting(std::size_t ranks) : given(ranks), signatures(ranks), sent(ranks) {}
  std::atomic<int> come{0}, laid_out{0};
  int begun = 0;  // by the hall
  std::vector<std::vector<std::byte>> given;
  std::vector<std::uint64_t> signatures;
  std::vector<std::vector<message_part>> sent;  // exchange: of `given`
};

// Where the ranks of a channel meet.
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
  // That of some of this hall's ranks, which each of them asks for the nth time.
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
