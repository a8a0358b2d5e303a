// SPDX-License-Identifier: Apache-2.0
#pragma once
// A variable is assigned a value of another dtype, shape, layout or mesh than it has. In JAX a name has no type.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct assignment_changes_type {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a variable keeps its type (lhs), and what is assigned to it has "
                                   "another (rhs). Fix: a name of its own, auto y = ...; or bring the value to "
                                   "the variable's type: reshard<P<...>>(y), astype<T>(y).",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
