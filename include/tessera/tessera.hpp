// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of Tessera that runs in one process: the type level, arrays, jit, eager operations, pictures.

#include <tessera/api/api.hpp>
#include <tessera/types.hpp>
