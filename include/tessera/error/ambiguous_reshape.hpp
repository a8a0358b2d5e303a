// SPDX-License-Identifier: Apache-2.0
#pragma once
// A reshape cannot say which of the new dimensions the mesh axes split.
// JAX: ShardingTypeError, kind `ambiguous_reshape`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct ambiguous_reshape {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the reshape leaves open which of the new dimensions the "
                                               "mesh axes split. Fix: choose: reshape<...>(x, "
                                               "out_sharding<P<...>>), or gather x first: reshard<P<...>>(x).",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::ambiguous_reshape> {
  template <class... Facts>
  using type = ambiguous_reshape<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say_axes(text, v.axes, t.mesh);
    text += " may split several dimensions of the new shape ";
    detail::say_shape(text, v.result);
    text += '.';
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    text += "choose the result's layout: reshape<...>(x, out_sharding<P<...>>), or ";
    detail::say_reshard(text, t, found);
    text += " first";
  }
};

}  // namespace tessera::error
