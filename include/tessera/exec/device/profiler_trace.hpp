// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records when each step of a program ran and each message was in flight, in a file for chrome://tracing and
// ui.perfetto.dev.
// Source: JAX jax.profiler.start_trace, stop_trace.

#include <tessera/base/config.hpp>

#include <string>

namespace tessera {

// Records steps and messages until stop_trace writes them to the file. All processes call both; process 0 writes the
// records of all processes. TESSERA_TRACE=<file> in the environment records a whole run; TESSERA_TRACE_EVENTS=<number>
// sets how many of the last events each process keeps, 1048576 by default.
void start_trace(std::string file);
// Throws std::runtime_error if the file cannot be written, and std::logic_error if nothing is being recorded.
void stop_trace();

}  // namespace tessera
