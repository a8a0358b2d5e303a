// SPDX-License-Identifier: Apache-2.0
#pragma once
// Extents that must be equal differ. JAX: TypeError, kind `shape_error`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct shapes_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the shapes do not fit each other. Fix: make the two numbers "
                                               "in extents<...> equal; often a transpose, reshape or expand_dims is "
                                               "missing.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
