// SPDX-License-Identifier: Apache-2.0
#pragma once
// A partial sum stands where its finished value is needed. JAX: ShardingTypeError, kind `unreduced_conflict`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct unreduced_operand {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an operand is a partial sum: its parts have to be added "
                                               "up before this. Fix: reshard<P<...>>(operand) without "
                                               "unreduced<...> first; moves_bytes<...> is what the sum costs.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::unreduced_operand> {
  template <class... Facts>
  using type = unreduced_operand<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "a partial sum over ";
    say_axes(text, v.axes, t.mesh);
    text += " stands where its finished value is needed.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    detail::say_reshard_first(text, t, found, "reshard<P<...>>(operand) first");
  }
};

}  // namespace tessera::error
