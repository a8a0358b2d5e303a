// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective that is waited for more than once. JAX 0.10.2 takes such programs.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct awaited_twice {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a collective that was started once is waited for more than once. Fix: wait once, and use what that returns twice.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
