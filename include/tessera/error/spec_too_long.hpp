// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec has more entries than the array has dimensions. JAX: ValueError, kind `rank_mismatch`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct spec_too_long {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the spec has more entries than the array has dimensions. "
                                               "Fix: at most one entry for each dimension; axes<a, b> splits one "
                                               "dimension over two axes.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::spec_too_long> {
  template <class... Facts>
  using type = spec_too_long<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<entries<Size>, of_rank<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "the spec has ", v.size, " entries and the array ", v.other, " dimensions.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "at most one entry for each dimension; axes<a, b> splits one over two";
  }
};

}  // namespace tessera::error
