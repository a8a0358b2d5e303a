// SPDX-License-Identifier: Apache-2.0
#pragma once
// The channel that joins all processes of a run, as a runtime object has set it up; where there is none, this process is
// alone. A thread that stands for a rank (comm/threads/threads.hpp) has one of its own.

#include <tessera/base/config.hpp>
#include <tessera/comm/channel/alone.hpp>
#include <tessera/comm/channel/mesh_processes.hpp>

#include <memory>

namespace tessera::detail {

// Null where this process is alone.
std::shared_ptr<channel> const& world();
bool world_of_thread();
// Of this process, or of this thread only. Null: alone again.
void join_world(std::shared_ptr<channel> all);
void join_world_as_thread(std::shared_ptr<channel> all);
// The same ones where they are known: a mesh that is made again has the same channels. They last until their world ends.
mesh_processes const* kept_processes(std::unique_ptr<mesh_processes> found);
// The channel that joins these processes of the world, made by them alone when it is first asked for.
std::shared_ptr<channel> kept_part(std::vector<int> const& ranks);

}  // namespace tessera::detail
