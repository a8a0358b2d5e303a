// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation needs a dimension whole that is split. JAX: ShardingTypeError, kind `sharded_dim_unsupported`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct sharded_dim_unsupported {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation needs this dimension whole on every "
                                               "device. Fix: gather it first: reshard<P<...>>(x) with none in its "
                                               "place.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
