// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function object holds data, or a traced lambda captures. JAX makes captured arrays constants.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct function_with_state {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: a traced function holds state: a lambda that captures, or "
                                               "members. Fix: pass what it captures as arguments.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
