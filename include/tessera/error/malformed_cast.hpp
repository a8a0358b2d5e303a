// SPDX-License-Identifier: Apache-2.0
#pragma once
// pcast between two states of a value, over some axis, between which there is no cast.
// JAX: ValueError, kind `bad_pcast`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct malformed_cast {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: no cast leads from what the value is over these axes to what was asked. "
                                   "Fix: to_unreduced of a value that varies, to_reduced of one that does not: "
                                   "psum<axis>(x) makes it so.",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
