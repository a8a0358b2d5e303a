// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of a loop returns a carried value of another type than it was given.
// JAX: TypeError, kind `carry_mismatch`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct carry_differs {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: the body of a loop returns a carried value of another type than it began with (lhs), namely rhs. Fix: begin with that type: pvary<axis>(init), reshard<P<...>>(init), astype<T>(init); or bring the body's result back to it.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
