// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays: devices, meshes and shardings, host data put onto them and back, printing and pictures. Needs nothing of what
// computes: <tessera/jit.hpp> is that, too.

#include <tessera/array/device_put.hpp>
#include <tessera/array/hybrid_mesh.hpp>
#include <tessera/exec/device/profiler_trace.hpp>
#include <tessera/exec/device/runtime.hpp>
#include <tessera/view/array.hpp>

// Behind all that it defines.
#include <tessera/headers_alone.hpp>
