// SPDX-License-Identifier: Apache-2.0
#pragma once
// pcast between two states of a value, over some axis, between which there is no cast.
// JAX: ValueError, kind `bad_pcast`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct malformed_cast {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: no cast leads from what the value is over these axes to what was asked. "
                                   "Fix: to_unreduced of a value that varies, to_reduced of one that does not: "
                                   "psum<axis>(x) makes it so.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::malformed_cast> {
  template <class... Facts>
  using type = malformed_cast<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "the value is in another state over ";
    say_axes(text, v.axes, t.mesh);
    text += ".";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "to_unreduced of what varies, to_reduced of what is the same; psum<axis>(x) first";
  }
};

}  // namespace tessera::error
