// SPDX-License-Identifier: Apache-2.0
#pragma once
// One mesh axis would split two dimensions of the same array. JAX: DuplicateSpecError, kind `duplicate_axis`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct axis_used_twice {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: one mesh axis would split two dimensions of the same "
                                               "array. Fix: name each axis once in P<...>; of two operands, "
                                               "reshard one first, as reshard_rhs<...> says.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
