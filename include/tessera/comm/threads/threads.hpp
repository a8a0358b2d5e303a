// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranks that are threads of this process: for tests, debuggers and ThreadSanitizer.

#include <tessera/comm/channel/channel.hpp>

#include <functional>

namespace tessera {

// Calls f in `ranks` threads, each with its rank's channel, and returns when all have returned. If calls threw, it
// rethrows the exception of the lowest rank; exceptions that are no comm_error come first, since they are the cause.
//   run_ranks(4, [](std::shared_ptr<channel> world) { world->barrier("begin").wait(); });
void run_ranks(int ranks, std::function<void(std::shared_ptr<channel>)> const& f);

}  // namespace tessera
