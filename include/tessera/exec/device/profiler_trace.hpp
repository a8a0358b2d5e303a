// SPDX-License-Identifier: Apache-2.0
#pragma once
// When each step of a program ran and each message was under way, as a file for chrome://tracing and ui.perfetto.dev.
// Source: JAX jax.profiler.start_trace, stop_trace.

#include <tessera/base/config.hpp>

#include <string>

namespace tessera {

// From now on steps and messages are recorded, until stop_trace writes them to the file. All processes call both; process 0
// writes what it gets from the others, too. TESSERA_TRACE=<file> in the environment does it for a whole run;
// TESSERA_TRACE_EVENTS=<number> says how many of the last events each process keeps, 1048576 unless set.
void start_trace(std::string file);
// Throws std::runtime_error where the file cannot be written, and std::logic_error where nothing is recorded.
void stop_trace();

}  // namespace tessera
