// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function is given arguments that it does not take. JAX: TypeError (missing or unexpected arguments).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_callable {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the traced function cannot be called with these arguments. Fix: "
                                   "give it as many as it takes, in its order; let it take each as auto, numbers "
                                   "too; where an error above this one is about its body, mend that.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::not_callable> {
  template <class... Facts>
  using type = not_callable<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the traced function cannot be called with these arguments.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "give it as many arguments as it takes, in its order; let it take each as auto, numbers too";
  }
};

}  // namespace tessera::error
