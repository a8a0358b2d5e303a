// SPDX-License-Identifier: Apache-2.0
#pragma once
// One mesh axis would split two dimensions of the same array. JAX: DuplicateSpecError, kind `duplicate_axis`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct axis_used_twice {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: one mesh axis would split two dimensions of the same "
                                               "array. Fix: name each axis once in P<...>; of two operands, "
                                               "reshard one first, as reshard_rhs<...> says.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::axis_used_twice> {
  template <class... Facts>
  using type = axis_used_twice<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say_axes(text, v.axes, t.mesh);
    text += " would split two dimensions of the same array.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    detail::say_reshard_first(text, t, found, "name each axis once in P<...>");
  }
};

}  // namespace tessera::error
