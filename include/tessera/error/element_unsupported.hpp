// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation is not defined for this element type. JAX: TypeError (does not accept dtype).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct element_unsupported {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation is not defined for this element type. Fix: "
                                               "bring it to one that fits: astype<float>(x); indices are integers, "
                                               "conditions bool.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::element_unsupported> {
  template <class... Facts>
  using type = element_unsupported<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    text += "it is not defined for ";
    text += t.lhs ? name_of(t.lhs->element) : "this element type";
    text += '.';
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "bring it to a type that fits: astype<float>(x); indices are integers, conditions bool";
  }
};

}  // namespace tessera::error
