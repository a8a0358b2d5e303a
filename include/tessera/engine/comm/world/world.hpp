// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of world.hpp.

#include <tessera/comm/world/world.hpp>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace tessera::detail {

struct part_of_world {
  std::shared_ptr<channel> world, part;
  std::vector<int> ranks;
};
struct known_processes {
  std::mutex guard;
  std::vector<std::unique_ptr<mesh_processes>> list;
  std::vector<part_of_world> parts;
};
inline known_processes& all_known_processes() {
  static known_processes known;
  return known;
}

inline std::shared_ptr<channel>& process_world() {
  static std::shared_ptr<channel> all;
  return all;
}
inline std::shared_ptr<channel>& thread_world() {
  static thread_local std::shared_ptr<channel> all;
  return all;
}

TESSERA_ENGINE std::shared_ptr<channel> const& world() { return thread_world() ? thread_world() : process_world(); }
// Meshes of the previous world remain valid as values, but lose their channels.
inline void change_world(std::shared_ptr<channel>& world, std::shared_ptr<channel> to) {
  known_processes& known = all_known_processes();
  std::lock_guard const lock(known.guard);
  auto const leave = [&](std::shared_ptr<channel> const& of) {
    for (auto const& p : known.list)
      if (of && p->all == of) p->leave();
  };
  leave(world);
  std::erase_if(known.parts, [&](part_of_world const& p) {
    if (p.world == world) leave(p.part);
    return p.world == world;
  });
  world = std::move(to);
}
TESSERA_ENGINE bool world_of_thread() { return thread_world() != nullptr; }
TESSERA_ENGINE void join_world(std::shared_ptr<channel> all) { change_world(process_world(), std::move(all)); }
TESSERA_ENGINE void join_world_as_thread(std::shared_ptr<channel> all) { change_world(thread_world(), std::move(all)); }

TESSERA_ENGINE std::shared_ptr<channel> kept_part(std::vector<int> const& ranks) {
  known_processes& known = all_known_processes();
  auto const all = world();
  {
    std::lock_guard const lock(known.guard);
    for (auto const& p : known.parts)
      if (p.world == all && p.ranks == ranks) return p.part;
  }
  auto made = all->among(ranks, "some processes");
  std::lock_guard const lock(known.guard);
  known.parts.push_back({all, made, ranks});
  return made;
}

TESSERA_ENGINE mesh_processes const* kept_processes(std::unique_ptr<mesh_processes> found) {
  known_processes& known = all_known_processes();
  std::lock_guard const lock(known.guard);
  for (auto const& p : known.list)
    if (p->all == found->all && p->rank == found->rank && p->ranks == found->ranks && p->sizes == found->sizes &&
        p->here == found->here)
      return p.get();
  known.list.push_back(std::move(found));
  return known.list.back().get();
}

}  // namespace tessera::detail
