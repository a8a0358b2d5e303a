// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective that was started and is never waited for, or only inside or outside of the loop body in which it began.
// JAX 0.10.2 takes such programs: the future is dropped.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct left_in_flight {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a collective is started and not waited for where it began. Fix: auto y = psum_done(token) in the same function or loop body.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
