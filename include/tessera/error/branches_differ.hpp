// SPDX-License-Identifier: Apache-2.0
#pragma once
// The branches of a cond or switch_ return values of different types.
// JAX: TypeError, kind `branch_mismatch`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct branches_differ {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a branch returns a value of another type (rhs) than the first one (lhs). Fix: bring them to one type: pvary<axis>(y), reshard<P<...>>(y), astype<T>(y).",
            Op, Facts...));
  }
};

}  // namespace tessera::error
