// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every op.

#include <tessera/op/activation.hpp>
#include <tessera/op/arithmetic.hpp>
#include <tessera/op/broadcast_to.hpp>
#include <tessera/op/cast.hpp>
#include <tessera/op/compare.hpp>
#include <tessera/op/concatenate.hpp>
#include <tessera/op/door.hpp>
#include <tessera/op/dot_general.hpp>
#include <tessera/op/einsum.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/op/expand_dims.hpp>
#include <tessera/op/exponential.hpp>
#include <tessera/op/fill.hpp>
#include <tessera/op/foundation.hpp>
#include <tessera/op/identity.hpp>
#include <tessera/op/iota.hpp>
#include <tessera/op/literal.hpp>
#include <tessera/op/matmul.hpp>
#include <tessera/op/out_sharding.hpp>
#include <tessera/op/pad.hpp>
#include <tessera/op/permute.hpp>
#include <tessera/op/reduce.hpp>
#include <tessera/op/reduce_sum.hpp>
#include <tessera/op/relayout.hpp>
#include <tessera/op/repeat.hpp>
#include <tessera/op/reshape.hpp>
#include <tessera/op/reshard.hpp>
#include <tessera/op/roll.hpp>
#include <tessera/op/slice.hpp>
#include <tessera/op/softmax.hpp>
#include <tessera/op/tile.hpp>
#include <tessera/op/unstack.hpp>
#include <tessera/op/update_slice.hpp>
#include <tessera/op/where.hpp>
