// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands have different element types where none is promoted. JAX: TypeError, kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct elements_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands have different element types. Fix: bring them "
                                               "to one: astype<float>(x).",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::elements_disagree> {
  template <class... Facts>
  using type = elements_disagree<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the operands have different element types.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "bring it to a type that fits: astype<float>(x)";
  }
};

}  // namespace tessera::error
