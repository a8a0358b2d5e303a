// SPDX-License-Identifier: Apache-2.0
#pragma once
// An array of bool as an index: the size of what it picks is no type.
// JAX: NonConcreteBooleanIndexError in traced code.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct mask_as_index {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an array of bool stands as an index: how many elements it "
                                               "picks is known only when it runs. Fix: keep the shape and choose by "
                                               "value: where(mask, x, 0), or where(mask, v, x) to write.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::mask_as_index> {
  template <class... Facts>
  using type = mask_as_index<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "an array of bool stands as an index: how many elements it picks is known only when it runs.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "keep the shape and choose by value: where(mask, x, 0), or where(mask, v, x) to write";
  }
};

}  // namespace tessera::error
