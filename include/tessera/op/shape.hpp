// SPDX-License-Identifier: Apache-2.0
#pragma once
// The same elements in other shapes: reshaped, permuted, joined, padded, repeated, in another layout.

#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/join.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/op/shape/padding.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/repeat.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/op/shape/roll.hpp>
#include <tessera/op/shape/tile.hpp>
#include <tessera/op/shape/unstack.hpp>
