// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of api that TESSERA_ENGINE is written before.

#include <tessera/api/array_part.hpp>
#include <tessera/api/run_processes.hpp>
#include <tessera/api/run_programs.hpp>
#include <tessera/api/search_layouts.hpp>
#include <tessera/api/stored_number.hpp>
