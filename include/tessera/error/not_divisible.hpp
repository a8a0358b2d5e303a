// SPDX-License-Identifier: Apache-2.0
#pragma once
// An extent does not divide by the devices that split it. JAX: ValueError, kind `indivisible`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_divisible {
  static consteval void explain() {
    if constexpr ((is_repair<Facts> || ...))
      static_assert(
          lawful<Op>,
          TESSERA_SENTENCE(
              "tessera: what is left of a split dimension does not divide by the mesh axes that split it. Fix: gather it first: reshard<P<...>>(x) with none in its place; or take a part of each device's block, inside shard_map.",
              Op, Facts...));
    else
      static_assert(lawful<Op>,
                    TESSERA_SENTENCE("tessera: a dimension does not divide by the mesh axes that split it. "
                                     "Fix: pad it to the size in padded_to<...>, or leave it whole: none in "
                                     "its place in P<...>.",
                                     Op, Facts...));
  }
};

}  // namespace tessera::error
