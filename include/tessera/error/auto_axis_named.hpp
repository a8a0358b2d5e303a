// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec names an Auto or Manual axis where only Explicit axes may stand. JAX: ValueError, kind `auto_axis_in_spec`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct auto_axis_named {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the spec names an axis that is not Explicit. Fix: leave the "
                                               "axis out here; with_sharding_constraint<P<...>>(x) guides Auto axes; "
                                               "or make it explicit_axis in the mesh.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::auto_axis_named> {
  template <class... Facts>
  using type = auto_axis_named<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "the spec names ";
    say_axes(text, v.axes, t.mesh);
    text += ", not an Explicit axis.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "leave the axis out (with_sharding_constraint guides Auto axes), or make it explicit_axis in the mesh";
  }
};

}  // namespace tessera::error
