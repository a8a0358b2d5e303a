// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled code of one step.

#include <tessera/exec/fused/device.hpp>
#include <tessera/exec/run/opaque_device.hpp>

namespace tessera {

// What runs a step: a fused one by its compiled loops on the host or its launch on an accelerator, an opaque one by its
// kernel for the element type it has. Null: interpreted, or chosen when it runs.
struct fused_kernel {
  compiled_strip const* strip = nullptr;
  fused_launch launch = nullptr;
  tile_function tile = nullptr;
  opaque_launch opaque = nullptr;
};

}  // namespace tessera
