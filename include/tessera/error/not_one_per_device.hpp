// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective that is not tiled removes a dimension, which has to have one element for each device.
// JAX: ValueError, kinds `indivisible`, `bad_collective_params`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_one_per_device {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: without tiled the dimension at_dim<...> goes, and has to have exactly one element for each device: parts<...>. Fix: give it that extent; or say tiled as the last argument, and it gets so many times shorter.",
            Op, Facts...));
  }
};

template <>
struct words<reason::not_one_per_device> {
  template <class... Facts>
  using type = not_one_per_device<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<size<Size>, parts<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_where(text, v);
    say(text, " has ", v.size, " elements and, not tiled, should have exactly ", v.other,
        ", one for each device over ");
    say_axes(text, v.axes, t.mesh);
    text += '.';
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    verdict const& v = t.what;
    say(text, "give it ", v.other, " elements, or say tiled as the last argument, if ", v.other, " divides it");
  }
};

}  // namespace tessera::error
