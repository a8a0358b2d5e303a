// SPDX-License-Identifier: Apache-2.0
#pragma once
// A partial sum stands where its finished value is needed. JAX: ShardingTypeError, kind `unreduced_conflict`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct unreduced_operand {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an operand is a partial sum: its parts have to be added "
                                               "up before this. Fix: reshard<P<...>>(operand) without "
                                               "unreduced<...> first; moves_bytes<...> is what the sum costs.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
