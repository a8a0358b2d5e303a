// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trees of arrays in files, and back on any mesh: save, restore, checkpoints.

#include <tessera/checkpoint/checkpoints.hpp>
#include <tessera/checkpoint/restore.hpp>
#include <tessera/checkpoint/save.hpp>

// Behind all that it defines.
#include <tessera/headers_alone.hpp>
