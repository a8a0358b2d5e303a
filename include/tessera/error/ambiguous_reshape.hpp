// SPDX-License-Identifier: Apache-2.0
#pragma once
// A reshape cannot say which of the new dimensions the mesh axes split.
// JAX: ShardingTypeError, kind `ambiguous_reshape`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct ambiguous_reshape {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the reshape leaves open which of the new dimensions the "
                                               "mesh axes split. Fix: choose: reshape<...>(x, "
                                               "out_sharding<P<...>>), or gather x first: reshard<P<...>>(x).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
