// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays as DLPack tensors, and tensors as arrays; beside <tessera/tessera.hpp>. Needs neither Kokkos nor dlpack.h.
// docs/interop.md

#include <tessera/array/dlpack.hpp>
#include <tessera/memory.hpp>

// Behind all that it defines.
#include <tessera/headers_alone.hpp>
