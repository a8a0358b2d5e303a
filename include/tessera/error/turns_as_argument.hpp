// SPDX-License-Identifier: Apache-2.0
#pragma once
// scan is told how often it turns where arrays to go over should stand. JAX: lax.scan(f, init, length=10).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct turns_as_argument {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a number of turns stands where a scan has arrays to go over. Fix: scan<10>(f, init): the number is a template argument, and f takes the carry alone.",
            Op, Facts...));
  }
};

template <>
struct words<reason::turns_as_argument> {
  template <class... Facts>
  using type = turns_as_argument<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "a number of turns stands where arrays to go over should.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "scan<10>(f, init)";
  }
};

}  // namespace tessera::error
