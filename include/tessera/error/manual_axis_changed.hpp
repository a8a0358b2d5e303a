// SPDX-License-Identifier: Apache-2.0
#pragma once
// auto_axes or explicit_axes over an axis that is Manual. JAX: NotImplementedError, kind `manual_to_auto`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct manual_axis_changed {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: auto_axes and explicit_axes cannot change an axis that is Manual: code inside shard_map sees one "
            "device's block. Fix: name the other axes, axis_names<...>; or call it outside of shard_map.",
            Op, Facts...));
  }
};

template <>
struct words<reason::manual_axis_changed> {
  template <class... Facts>
  using type = manual_axis_changed<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the axis is Manual here: code sees one device's block.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "name the axes that are not mapped over: axis_names<...>";
  }
};

}  // namespace tessera::error
