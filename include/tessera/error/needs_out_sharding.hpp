// SPDX-License-Identifier: Apache-2.0
#pragma once
// Both operands split the contracted dimension over the same axes, so the result's layout is open.
// JAX: ShardingTypeError, kind `needs_out_sharding`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct needs_out_sharding {
  static consteval void explain() {
    if constexpr (!(is_pair_of_dims<Facts> || ...))
      static_assert(
          lawful<Op>,
          TESSERA_SENTENCE(
              "tessera: elements of a split dimension, or at split indices, at_dim<...>, are read across the blocks of several devices, which leaves the result's layout open. Fix: choose it: out_sharding<P<...>> as the last argument, of get(...) or set(v, ...) too; or gather what is split first: reshard<P<...>>(x).",
              Op, Facts...));
    else
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: both operands split the contracted dimension over the "
                                                 "same axes: each device holds a part of the sum. Fix: choose the "
                                                 "result's layout: out_sharding<P<...>> as the last argument adds "
                                                 "the parts up on each device (moves_bytes<...>), or_out_sharding's "
                                                 "spec there leaves each a share of the sum (half of the bytes).",
                                                 Op, Facts...));
  }
};

template <>
struct words<reason::needs_out_sharding> {
  template <class... Facts>
  using type = needs_out_sharding<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_where(text, v);
    if (v.rhs_dim < 0) {
      text += " is split over ";
      say_axes(text, v.axes, t.mesh);
      text += " and is read across devices, which leaves the result's layout open.";
      return;
    }
    text += ", which are contracted, are both split over ";
    say_axes(text, v.axes, t.mesh);
    text += ": each device holds only a part of the sum.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    verdict const& v = t.what;
    if (v.rhs_dim < 0)
      say(text, "choose the result's layout: out_sharding<P<...>> as the last argument of ", t.op,
          ", get or set, or gather what is split first: reshard<P<...>>(x)");
    else
      detail::say_sums(text, t, found);
  }
};

}  // namespace tessera::error
