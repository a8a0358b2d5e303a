// SPDX-License-Identifier: Apache-2.0
#pragma once
// A permutation in which a device does not exist, or sends or receives twice.
// JAX: ValueError, kind `bad_collective_params`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct malformed_permutation {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a permutation names a device that does not exist, or one that "
                                   "sends or receives twice. Fix: each device from 0 to n - 1 at most once on "
                                   "either side.",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
