// SPDX-License-Identifier: Apache-2.0
#pragma once
// Channels among some of the ranks of another channel.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/diagnosis/wait.hpp>
#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/engine/comm/channel/channel.hpp>

namespace tessera {

TESSERA_ENGINE std::shared_ptr<channel> channel::split(int color, int key, std::string_view label) {
  auto& here = *state_;
  struct choice {
    std::int32_t color, key;
  };
  choice const mine{color, key};
  std::vector<choice> all(here.ranks.size());
  begin({.kind = message_kind::split,
         .out = reinterpret_cast<std::byte*>(all.data()),
         .in = reinterpret_cast<std::byte const*>(&mine),
         .count = sizeof mine},
        label)
      .wait();
  if (color < 0) return nullptr;
  std::vector<int> ranks;
  for (int rank = 0; rank < here.size(); ++rank)
    if (all[rank].color == color) ranks.push_back(rank);
  std::sort(ranks.begin(), ranks.end(), [&](int a, int b) {
    auto const left = all[a].key, right = all[b].key;
    return left != right ? left < right : a < b;
  });
  return part_of(*this, label, ranks, static_cast<std::uint64_t>(here.number));
}

TESSERA_ENGINE std::shared_ptr<channel> channel::among(std::vector<int> const& ranks, std::string_view label) {
  std::vector<int> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  bool const twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (ranks.empty() || twice || std::find(ranks.begin(), ranks.end(), rank()) == ranks.end() || sorted.front() < 0 ||
      sorted.back() >= size())
    throw std::invalid_argument(
        "tessera: a channel among ranks has this one, each once, and no others than there are.");
  std::uint64_t name = detail::mixed(0x616d6f6e67, ++state_->made_among[ranks]);
  for (int const rank : ranks) name = detail::mixed(name, static_cast<std::uint64_t>(rank));
  return part_of(*this, label, ranks, name);
}

TESSERA_ENGINE std::shared_ptr<channel> channel::part_of(channel& other, std::string_view label,
                                                         std::vector<int> const& ranks, std::uint64_t name) {
  auto& here = *other.state_;
  std::string path = here.label;
  path += '/';
  path += label;
  auto made = other.part(std::move(path), ranks);
  made->state_->id = detail::mixed(detail::mixed(here.id, name), static_cast<std::uint64_t>(ranks[0]));
  made->state_->deadline = here.deadline;
  return made;
}

}  // namespace tessera
