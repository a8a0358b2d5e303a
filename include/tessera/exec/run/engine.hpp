// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of exec that TESSERA_ENGINE is written before.

#include <tessera/exec/device/find_machine.hpp>
#include <tessera/exec/device/kokkos.hpp>
#include <tessera/exec/device/print.hpp>
#include <tessera/exec/memory/pooled.hpp>
#include <tessera/exec/move/copy_blocks.hpp>
#include <tessera/exec/run/engine_kernels.hpp>
#include <tessera/exec/run/environment_text.hpp>
#include <tessera/exec/run/run.hpp>
#include <tessera/exec/run/start.hpp>
