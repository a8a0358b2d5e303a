// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program says of itself and of the machine that it runs on.

#include <string>

namespace tessera {

// How this program was compiled and what it runs on, a line each: compiler, instructions of its kernels and of the
// engine's loops, processor, caches, threads, BLAS, devices. As jax.print_environment_info.
std::string environment_info();
void print_environment_info();

}  // namespace tessera
