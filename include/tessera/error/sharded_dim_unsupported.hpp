// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation needs a dimension whole that is split. JAX: ShardingTypeError, kind `sharded_dim_unsupported`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct sharded_dim_unsupported {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation needs this dimension whole on every "
                                               "device. Fix: gather it first: reshard<P<...>>(x) with none in its "
                                               "place.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::sharded_dim_unsupported> {
  template <class... Facts>
  using type = sharded_dim_unsupported<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_where(text, v);
    text += " is split over ";
    say_axes(text, v.axes, t.mesh);
    text += ", and has to be whole on every device.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    detail::say_reshard_first(text, t, found, "reshard<P<...>>(operand) first");
  }
};

}  // namespace tessera::error
