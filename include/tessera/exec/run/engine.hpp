// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that TESSERA_ENGINE is written before. A program that is linked with tessera::engine compiles this in one file.

#include <tessera/exec/memory/copy_blocks.hpp>
#include <tessera/exec/run/engine_kernels.hpp>
#include <tessera/exec/run/run.hpp>
