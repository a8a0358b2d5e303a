// SPDX-License-Identifier: Apache-2.0
#pragma once
// A branch or loop whose choice varies between devices communicates over the axes that it varies over: some devices
// would wait without end. JAX has no such error.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct collective_in_branch {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: devices that choose differently would wait for each other: a collective over an axis along which the predicate differs. Fix: do the collective outside, or make the predicate the same everywhere: pmax<axis>(pred).",
            Op, Facts...));
  }
};

template <>
struct words<reason::collective_in_branch> {
  template <class... Facts>
  using type = collective_in_branch<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "devices choose differently along ";
    say_axes(text, v.axes, t.mesh);
    text += ", over which this collective joins them.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "do the collective outside, or make the predicate the same everywhere: pmax<axis>(pred)";
  }
};

}  // namespace tessera::error
