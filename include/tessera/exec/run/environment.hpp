// SPDX-License-Identifier: Apache-2.0
#pragma once
// A description of the program and of the machine that it runs on.

#include <string>

namespace tessera {

// How this program was compiled and what it runs on, one line each: compiler, instruction sets of its kernels and of
// the engine's loops, processor, caches, threads, BLAS, devices. Source: jax.print_environment_info.
std::string environment_info();
void print_environment_info();

}  // namespace tessera
