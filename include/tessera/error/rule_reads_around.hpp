// SPDX-License-Identifier: Apache-2.0
#pragma once
// The function of a custom_vjp or custom_jvp, or its rule, reads a value that is differentiated and is not an argument: its
// derivative would be lost.
// JAX: CustomVJPException, UnexpectedTracerError (closed-over values).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct rule_reads_around {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: a function with a rule reads a differentiated value that is "
                                               "not its argument; its derivative would be lost. Fix: pass the value "
                                               "as an argument; or stop_gradient(value).",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::rule_reads_around> {
  template <class... Facts>
  using type = rule_reads_around<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the function reads a differentiated value that is not its argument; its derivative would be lost.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "pass the value as an argument; or stop_gradient(value)";
  }
};

}  // namespace tessera::error
