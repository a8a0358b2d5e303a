// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two operands split the same dimension over different mesh axes. JAX: ShardingTypeError, kind `conflict`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct dims_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: two operands split the same dimension over different "
                                               "mesh axes. Fix: reshard<P<...>>(operand) first, as "
                                               "reshard_lhs<...> or reshard_rhs<...> says.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
