// SPDX-License-Identifier: Apache-2.0
#pragma once
// An index or a slice reaches beyond its dimension. JAX: IndexError, TypeError (slice), kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct index_out_of_range {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an index or a slice reaches beyond its dimension. Fix: stay "
                                               "between 0 and the extent; a stride is not 0.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::index_out_of_range> {
  template <class... Facts>
  using type = index_out_of_range<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<index<Size>, size<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "index ", v.size, " is beyond ");
    detail::say_where(text, v);
    say(text, ", which has ", v.other, " elements.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "stay between 0 and the extent; a stride is not 0";
  }
};

}  // namespace tessera::error
