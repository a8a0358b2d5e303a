// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands or parameters have different numbers of dimensions. JAX: TypeError, kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct ranks_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the numbers of dimensions do not fit each other. Fix: "
                                               "reshape, expand_dims or squeeze the operand, or give one parameter "
                                               "for each dimension.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::ranks_disagree> {
  template <class... Facts>
  using type = ranks_disagree<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<ranks<Size, Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, v.size, " and ", v.other, " dimensions do not fit each other.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "reshape, expand_dims or squeeze an operand, or give one parameter for each dimension";
  }
};

}  // namespace tessera::error
