// SPDX-License-Identifier: Apache-2.0
#pragma once
// grad of a function whose result is not one floating scalar.
// JAX: TypeError (Gradient only defined for scalar-output functions).

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct grad_of_non_scalar {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: grad needs a function that returns one floating scalar. Fix: "
                                               "reduce the result first: sum(y) or mean(y).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
