// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function object holds data, or a traced lambda captures. JAX makes captured arrays constants.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct function_with_state {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a traced function holds state: a lambda that captures, or "
                                   "members. Fix: pass what it captures as arguments, and write [] for [&] and [=].",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::function_with_state> {
  template <class... Facts>
  using type = function_with_state<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the traced function holds state: a lambda that captures, or members.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "pass what it captures as arguments, and write [] for [&] and [=]";
  }
};

}  // namespace tessera::error
