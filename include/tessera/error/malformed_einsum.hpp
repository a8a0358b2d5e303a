// SPDX-License-Identifier: Apache-2.0
#pragma once
// The subscripts of an einsum do not fit its operands. JAX: ValueError (einstein sum subscripts), kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct malformed_einsum {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the einsum subscripts do not fit the operands. Fix: one "
                                               "letter for each dimension of each operand, and after -> only letters "
                                               "that occur before it.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::malformed_einsum> {
  template <class... Facts>
  using type = malformed_einsum<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the subscripts do not fit the operands.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "one letter for each dimension of each operand, and after -> only letters that occur before it";
  }
};

}  // namespace tessera::error
