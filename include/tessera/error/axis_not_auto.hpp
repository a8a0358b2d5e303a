// SPDX-License-Identifier: Apache-2.0
#pragma once
// with_sharding_constraint names an axis that the planner does not decide. JAX: ValueError, kind `wsc_axis_type`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct axis_not_auto {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: with_sharding_constraint names an axis that is not Auto. "
                                               "Fix: reshard<P<...>>(x) changes the layout over Explicit axes.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::axis_not_auto> {
  template <class... Facts>
  using type = axis_not_auto<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "the spec names ";
    say_axes(text, v.axes, t.mesh);
    text += ", not an Auto axis.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "reshard<P<...>>(x) changes a layout over Explicit axes";
  }
};

}  // namespace tessera::error
