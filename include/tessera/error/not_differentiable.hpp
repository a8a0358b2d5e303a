// SPDX-License-Identifier: Apache-2.0
#pragma once
// A gradient would pass through an operation that has none.
// JAX: NotImplementedError (differentiation rule not implemented).

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_differentiable {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: a gradient would pass through an operation that has none. "
                                               "Fix: take the operation's operand from outside of the differentiated "
                                               "arguments, or use one that has a gradient.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
