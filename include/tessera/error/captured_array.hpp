// SPDX-License-Identifier: Apache-2.0
#pragma once
// Traced code met an array that is not one of its arguments. JAX makes it a constant of the program.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct captured_array {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: traced code captured an array: it has no value while the "
                                               "function is traced. Fix: pass the array as an argument of the traced "
                                               "function.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
