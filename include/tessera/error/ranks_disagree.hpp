// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands or parameters have different numbers of dimensions. JAX: TypeError, kind `shape_error`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct ranks_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the numbers of dimensions do not fit each other. Fix: "
                                               "reshape, expand_dims or squeeze the operand, or give one parameter "
                                               "for each dimension.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
