// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sum over several axes of a value that differs over some of them only.
// JAX: ValueError, kind `mixed_vma_axes`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct partly_varying {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the value differs between devices over some of the summed axes "
                                   "and is the same over others. Fix: sum over the former, or pvary<axis>(x) "
                                   "first to count copies.",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
