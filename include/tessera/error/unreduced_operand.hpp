// SPDX-License-Identifier: Apache-2.0
#pragma once
// A partial sum stands where its finished value is needed. JAX: ShardingTypeError, kind `unreduced_conflict`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct unreduced_operand {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an operand is a partial sum, and adding its parts up later "
                                   "would give another result. Fix: finish the sum first: "
                                   "reshard<P<...>>(x) without unreduced<...>.", Op, Facts...));
  }
};

}  // namespace tessera::error
