// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation is not defined for this element type. JAX: TypeError (does not accept dtype).

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct element_unsupported {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation is not defined for this element type. Fix: "
                                               "bring it to one that fits: astype<float>(x).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
