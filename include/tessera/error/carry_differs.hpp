// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of a loop returns a carried value of another type than it was given.
// JAX: TypeError, kind `carry_mismatch`.

#include <tessera/error/component.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct carry_differs {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: the body of a loop returns carried values of other types than it began with: each component<...> has its path, both types, and what to write. Fix: pvary_init: pvary<axis>(that part of init); or pvary_result, reshard_result, astype_result: do that to what the body returns for it.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
