// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced value decides an if, a while, && or !, which C++ asks while the function is traced.
// JAX: TracerBoolConversionError.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct value_as_condition {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: a traced value stands where C++ decides at once (if, while, "
                                               "&&, !): it is known only when the program runs. Fix: "
                                               "where(pred, x, y) or cond(pred, f, g, x) for if, while_loop for "
                                               "while, & and ~ for && and !.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::value_as_condition> {
  template <class... Facts>
  using type = value_as_condition<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "its result stands where C++ decides at once (if, while, &&, !), and is known only when the program runs.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "where(pred, x, y) or cond(pred, f, g, x) for if, while_loop for while, & for &&";
  }
};

}  // namespace tessera::error
