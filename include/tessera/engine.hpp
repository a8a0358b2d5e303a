// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that TESSERA_ENGINE is written before. tessera::engine compiles these in a file each; a build without CMake may
// compile this in one.

#include <tessera/api/engine.hpp>
#include <tessera/array/engine.hpp>
#include <tessera/checkpoint/engine.hpp>
#include <tessera/comm/engine.hpp>
#include <tessera/data/engine.hpp>
#include <tessera/exec/run/engine.hpp>
#include <tessera/plan/engine.hpp>
#include <tessera/view/engine.hpp>
