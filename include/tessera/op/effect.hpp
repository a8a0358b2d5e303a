// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations that are kept whether or not a result depends on them: barriers, and the operation that prints.

#include <tessera/op/effect/debug_check.hpp>
#include <tessera/op/effect/debug_print.hpp>
#include <tessera/op/effect/optimization_barrier.hpp>
