// SPDX-License-Identifier: Apache-2.0
#pragma once
// The channel that joins all processes of a run, set by the runtime object. Without one this process is alone. A thread
// that acts as a rank (comm/threads/threads.hpp) has a channel of its own.

#include <tessera/base/config.hpp>
#include <tessera/comm/channel/alone.hpp>
#include <tessera/comm/channel/mesh_processes.hpp>

#include <memory>

namespace tessera::detail {

// Null if this process is alone.
std::shared_ptr<channel> const& world();
bool world_of_thread();
// Sets the channel of this process, or of this thread only. Null: alone again.
void join_world(std::shared_ptr<channel> all);
void join_world_as_thread(std::shared_ptr<channel> all);
// Returns the kept object that equals `found`, or keeps `found`: equal meshes share their channels. Kept until the
// world ends.
mesh_processes const* kept_processes(std::unique_ptr<mesh_processes> found);
// The channel of these processes of the world, created by them alone at first use.
std::shared_ptr<channel> kept_part(std::vector<int> const& ranks);

}  // namespace tessera::detail
