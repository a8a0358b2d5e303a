// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranks that are threads of this process: for tests, debuggers and ThreadSanitizer.

#include <tessera/comm/channel/channel.hpp>

#include <functional>

namespace tessera {

// Calls f in `ranks` threads at once, each with its rank's channel, and returns when all have. When some threw, throws
// what began it: of those exceptions that are no comm_error, else of all, that of the lowest rank.
//   run_ranks(4, [](std::shared_ptr<channel> world) { world->barrier("begin").wait(); });
void run_ranks(int ranks, std::function<void(std::shared_ptr<channel>)> const& f);

}  // namespace tessera
