// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state of a channel besides its implementation, and a message signature that ranks compare without communication.

#include <tessera/comm/diagnosis/job.hpp>

#include <map>

namespace tessera::detail {

struct channel_state {
  std::shared_ptr<detail::job> job;
  std::string name;   // of its library: the job's name, if the channel has none of its own
  std::string label;  // "world/dp"
  int rank = 0;
  std::vector<int> ranks;  // ranks in the job
  std::uint64_t id = 1;
  board_slot* slot = nullptr;
  bool host_memory = true;  // messages are in host memory; a single rank then copies them itself
  bool opened = false;
  bool last = false;        // ranks that have left the other channels still use this one
  std::int64_t number = 0;  // messages started
  double deadline = deadline_setting();
  std::array<std::int64_t, message_kinds> calls{}, bytes{};
  std::map<std::vector<int>, std::uint64_t> made_among;  // how many channels were made of these ranks
  std::vector<std::unique_ptr<operation>> operations;
  std::vector<operation*> idle;

  int size() const { return static_cast<int>(ranks.size()); }
};

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
  return x ^ (x >> 32);
}

// A hash of what all ranks must agree on for a message. The parts of an exchange differ.
constexpr std::uint64_t signature(asked_message const& what) {
  std::uint64_t all = mixed(static_cast<std::uint64_t>(what.kind), static_cast<std::uint64_t>(what.element));
  all = mixed(all, static_cast<std::uint64_t>(what.combine) * 2 + static_cast<std::uint64_t>(what.order));
  all = mixed(all, static_cast<std::uint64_t>(what.root));
  return what.kind == message_kind::exchange ? all : mixed(all, static_cast<std::uint64_t>(what.count));
}

}  // namespace tessera::detail
