// SPDX-License-Identifier: Apache-2.0
#pragma once
// Control flow: loops and branches as parts of one program.

#include <tessera/control/associative_scan.hpp>
#include <tessera/control/cond.hpp>
#include <tessera/control/map.hpp>
#include <tessera/control/remat.hpp>
#include <tessera/control/scan.hpp>
#include <tessera/control/while_loop.hpp>
