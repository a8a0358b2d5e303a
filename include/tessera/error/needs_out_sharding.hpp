// SPDX-License-Identifier: Apache-2.0
#pragma once
// Both operands split the contracted dimension over the same axes, so the result's layout is open.
// JAX: ShardingTypeError, kind `needs_out_sharding`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct needs_out_sharding {
  static consteval void explain() {
    if constexpr (!(is_pair_of_dims<Facts> || ...))
      static_assert(
          lawful<Op>,
          TESSERA_SENTENCE(
              "tessera: elements of a split dimension, at_dim<...>, are read across the blocks of several devices, which leaves the result's layout open. Fix: choose it: out_sharding<P<...>> as the last argument, of get(...) or set(v, ...) too; or gather the operand first: reshard<P<...>>(x).",
              Op, Facts...));
    else
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: both operands split the contracted dimension over the "
                                                 "same axes: each device holds a part of the sum. Fix: choose the "
                                                 "result's layout: out_sharding<P<...>> as the last argument adds "
                                                 "the parts up on each device (moves_bytes<...>), or_out_sharding's "
                                                 "spec there leaves each a share of the sum (half of the bytes).",
                                                 Op, Facts...));
  }
};

}  // namespace tessera::error
