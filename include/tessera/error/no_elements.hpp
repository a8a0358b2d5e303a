// SPDX-License-Identifier: Apache-2.0
#pragma once
// One of no elements is asked for: the largest, the smallest, the middle one. JAX: ValueError (zero-size array to reduction
// operation which has no identity), kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct no_elements {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the operation picks one of the elements along a dimension that "
                                   "has none. Fix: at least one element; or concatenate one first, which "
                                   "is the result where nothing else is.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::no_elements> {
  template <class... Facts>
  using type = no_elements<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "one of the elements along ";
    detail::say_where(text, v);
    text += " is asked for, and there are none.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "at least one element; or concatenate one first";
  }
};

}  // namespace tessera::error
