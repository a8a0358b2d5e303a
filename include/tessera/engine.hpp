// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that TESSERA_ENGINE is written before. A program that is linked with tessera::engine compiles this in one file.

#include <tessera/api/array_part.hpp>
#include <tessera/api/run_programs.hpp>
#include <tessera/api/stored_number.hpp>
#include <tessera/array/from_host.hpp>
#include <tessera/array/host_size.hpp>
#include <tessera/array/no_mesh.hpp>
#include <tessera/array/parts.hpp>
#include <tessera/array/placed_mesh.hpp>
#include <tessera/array/sized_mesh.hpp>
#include <tessera/array/timed.hpp>
#include <tessera/array/to_host.hpp>
#include <tessera/exec/run/engine.hpp>
#include <tessera/view/array_layout.hpp>
#include <tessera/view/boxes.hpp>
#include <tessera/view/drawing.hpp>
#include <tessera/view/printed.hpp>
#include <tessera/view/standard_streams.hpp>
