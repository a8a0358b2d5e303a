// SPDX-License-Identifier: Apache-2.0
#pragma once
// A C++ value that is neither an array nor a number stands as an operand. JAX: TypeError (not a valid JAX type).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_an_array {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE(
                                  "tessera: what stands here is neither an array nor a number. Fix: pass (or "
                                  "return) an array, a traced value or a number; host<extents...>(v) and asarray(v) "
                                  "make one of numbers in memory; a struct of arrays is TESSERA_TREE(name, fields...).",
                                  Op, Facts...));
  }
};

template <>
struct words<reason::not_an_array> {
  template <class... Facts>
  using type = not_an_array<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "what stands here is neither an array nor a number.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "pass an array, a traced value or a number";
  }
};

}  // namespace tessera::error
