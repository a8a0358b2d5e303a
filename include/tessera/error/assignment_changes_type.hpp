// SPDX-License-Identifier: Apache-2.0
#pragma once
// A variable is assigned a value of another dtype, shape, layout or mesh than it has. In JAX a name has no type.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct assignment_changes_type {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a variable keeps its type (lhs), and what is assigned to it has "
                                   "another (rhs). Fix: a name of its own, auto y = ...; or bring the value to "
                                   "the variable's type: reshard<P<...>>(y), astype<T>(y). Parameters are made on the "
                                   "mesh of what follows: jit<out_shardings<P<>>, mesh type>(init)(key).",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::assignment_changes_type> {
  template <class... Facts>
  using type = assignment_changes_type<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "its result, of another type (rhs), is assigned to a variable (lhs).";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "a name of its own: auto y = ...; or reshard<P<...>>(y), astype<T>(y)";
  }
};

}  // namespace tessera::error
