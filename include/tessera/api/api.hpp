// SPDX-License-Identifier: Apache-2.0
#pragma once
// All functions on arrays for users.

#include <tessera/api/asarray.hpp>
#include <tessera/api/at.hpp>
#include <tessera/api/best_layout.hpp>
#include <tessera/api/device_put.hpp>
#include <tessera/api/eager.hpp>
#include <tessera/api/eval_shape.hpp>
#include <tessera/api/expect_comm.hpp>
#include <tessera/api/jit.hpp>
#include <tessera/api/log_plans.hpp>
#include <tessera/api/made_otherwise.hpp>
#include <tessera/api/memory_of.hpp>
#include <tessera/api/miscounted.hpp>
#include <tessera/api/misdrawn.hpp>
#include <tessera/api/misplaced.hpp>
#include <tessera/api/misplaced_collectives.hpp>
#include <tessera/api/misplaced_draws.hpp>
#include <tessera/api/misplaced_elements.hpp>
#include <tessera/api/misplaced_functions.hpp>
#include <tessera/api/misplaced_numbers.hpp>
#include <tessera/api/misplaced_plain.hpp>
#include <tessera/api/misplaced_settings.hpp>
#include <tessera/api/placed.hpp>
#include <tessera/api/pmap.hpp>
#include <tessera/api/processes.hpp>
#include <tessera/api/work_of.hpp>
#include <tessera/array/device_put.hpp>
#include <tessera/exec/device/runtime.hpp>
