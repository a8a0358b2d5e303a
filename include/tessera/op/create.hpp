// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays without operands: constants, ranges, triangles, diagonals.

#include <tessera/op/create/constant.hpp>
#include <tessera/op/create/diagonal.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/create/triangle.hpp>
