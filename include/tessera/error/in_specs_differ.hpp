// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_map's in_specs are not the layout that the argument has.
// JAX: ValueError, kind `in_specs_mismatch`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct in_specs_differ {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: in_specs are not the layout that the argument has. Fix: "
                                               "reshard<P<...>>(x) first, or leave in_specs out: "
                                               "shard_map<out_specs<...>>(f).",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::in_specs_differ> {
  template <class... Facts>
  using type = in_specs_differ<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_where(text, v);
    text += " is not split as in_specs say; ";
    say_axes(text, v.axes, t.mesh);
    text += " is named there or splits it.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "reshard<P<...>>(x) first, or leave in_specs out";
  }
};

}  // namespace tessera::error
