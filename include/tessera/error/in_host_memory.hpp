// SPDX-License-Identifier: Apache-2.0
#pragma once
// An array in host memory is an argument of a program or of an operation. JAX computes there only inside compute_on.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct in_host_memory {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an array in host memory cannot be computed on. "
                                               "Fix: device_put(x, on_device{}) first, for argument at_operand<...>.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
