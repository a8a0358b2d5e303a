// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ops that promotion, broadcasting and differentiation insert by themselves: complete wherever an op is used.

#include <tessera/manual/psum.hpp>
#include <tessera/op/arithmetic.hpp>
#include <tessera/op/broadcast_to.hpp>
#include <tessera/op/cast.hpp>
#include <tessera/op/reduce_sum.hpp>
#include <tessera/op/reshape.hpp>
#include <tessera/op/reshard.hpp>
