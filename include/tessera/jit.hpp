// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays, and programs that run on them: jit, device_put of arrays. Operations are in <tessera/op/...>, a family each:
// <tessera/op/elementwise.hpp>, <tessera/op/product.hpp>; <tessera/tessera.hpp> has everything.

#include <tessera/api/device_put.hpp>
#include <tessera/api/eval_shape.hpp>
#include <tessera/api/expect_comm.hpp>
#include <tessera/api/jit.hpp>
#include <tessera/arrays.hpp>
