// SPDX-License-Identifier: Apache-2.0
#pragma once
// An extent does not divide by the devices that split it. JAX: ValueError, kind `indivisible`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_divisible {
  static consteval void explain() {
    if constexpr ((is_repair<Facts> || ...))
      static_assert(
          lawful<Op>,
          TESSERA_SENTENCE(
              "tessera: what is left of a split dimension does not divide by the mesh axes that split it. Fix: gather it first: reshard<P<...>>(x) with none in its place; or take a part of each device's block, inside shard_map.",
              Op, Facts...));
    else
      static_assert(lawful<Op>,
                    TESSERA_SENTENCE("tessera: a dimension does not divide by the mesh axes that split it. "
                                     "Fix: pad it to the size in padded_to<...>, or leave it whole: none in "
                                     "its place in P<...>.",
                                     Op, Facts...));
  }
};

template <>
struct words<reason::not_divisible> {
  template <class... Facts>
  using type = not_divisible<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool Repaired, dtype>
  static constexpr auto numbers() {
    if constexpr (Repaired)
      return facts<size<Size>, parts<Other>>{};
    else
      return facts<size<Size>, parts<Other>, padded_to<(Size + Other - 1) / Other * Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_where(text, v);
    say(text, " has ", v.size, " elements, which the ", v.other, " devices over ");
    say_axes(text, v.axes, t.mesh);
    text += " do not divide.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    verdict const& v = t.what;
    if (found.which >= 0) {
      detail::say_reshard(text, t, found);
      text += " first, or take a part of each device's block, inside shard_map";
      return;
    }
    say(text, "pad it to ", (v.size + v.other - 1) / v.other * v.other,
        " elements, or leave it whole: none in its place");
  }
};

}  // namespace tessera::error
