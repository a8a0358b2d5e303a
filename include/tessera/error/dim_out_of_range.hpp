// SPDX-License-Identifier: Apache-2.0
#pragma once
// A dimension is named that the array does not have, or named twice.
// JAX: ValueError (axis out of bounds), kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct dim_out_of_range {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation names a dimension that the array does not "
                                               "have, or one twice. Fix: name each dimension once, from 0 to rank - "
                                               "1; negative ones count from the end.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::dim_out_of_range> {
  template <class... Facts>
  using type = dim_out_of_range<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<dim<Size>, of_rank<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "dimension ", v.size, " is named twice or not one of the ", v.other, ".");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "name each dimension once, from 0 to rank - 1, or from the end: -1";
  }
};

}  // namespace tessera::error
