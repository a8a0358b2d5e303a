// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_map's out_specs leave out an axis over which the result differs between devices.
// JAX: ValueError, kind `out_specs_not_replicated`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct result_varies {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: out_specs leave out an axis over which the result differs between"
                                   " devices. Fix: name the axis in the spec, or make the result the same on "
                                   "all of them: psum<axis>(y).",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::result_varies> {
  template <class... Facts>
  using type = result_varies<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "the result differs between devices over ";
    say_axes(text, v.axes, t.mesh);
    text += ", which its out_spec leaves out.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "name the axis in the spec, or make it the same everywhere: psum<axis>(y)";
  }
};

}  // namespace tessera::error
