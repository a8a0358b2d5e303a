// SPDX-License-Identifier: Apache-2.0
#pragma once
// One of no elements is asked for: the largest, the smallest, the middle one. JAX: ValueError (zero-size array to reduction
// operation which has no identity), kind `shape_error`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct no_elements {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the operation picks one of the elements along a dimension that "
                                   "has none. Fix: at least one element; or concatenate one first, which "
                                   "is the result where nothing else is.",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
