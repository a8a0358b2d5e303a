// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts and stops the recording of this process' timeline.

#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/exec/device/profiler_trace.hpp>

namespace tessera {

TESSERA_ENGINE void start_trace(std::string file) { detail::start_timeline(std::move(file)); }
TESSERA_ENGINE void stop_trace() { detail::stop_timeline(detail::world().get()); }

}  // namespace tessera
