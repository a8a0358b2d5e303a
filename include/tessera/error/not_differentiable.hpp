// SPDX-License-Identifier: Apache-2.0
#pragma once
// A gradient would pass through an operation that has none.
// JAX: NotImplementedError (differentiation rule not implemented).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_differentiable {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a gradient would pass through an operation that has none. "
                                   "Fix: take the operation's operand from outside of the differentiated "
                                   "arguments, or use one that has a gradient: fori_loop or scan for while_loop, or "
                                   "custom_root, custom_vjp around it.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::not_differentiable> {
  template <class... Facts>
  using type = not_differentiable<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "a gradient would pass through it, and it has none.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "take its operand from outside of the differentiated arguments";
  }
};

}  // namespace tessera::error
