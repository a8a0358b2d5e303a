// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective that is waited for more than once. JAX 0.10.2 takes such programs.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct awaited_twice {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a collective that was started once is waited for more than once. Fix: wait once, and use what that returns twice.",
            Op, Facts...));
  }
};

template <>
struct words<reason::awaited_twice> {
  template <class... Facts>
  using type = awaited_twice<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "it was started here once, and is waited for more than once.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "one done for each start, in the same function or loop body";
  }
};

}  // namespace tessera::error
