// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands have different element types where none is promoted. JAX: TypeError, kind `shape_error`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct elements_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands have different element types. Fix: bring them "
                                               "to one: astype<float>(x).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
