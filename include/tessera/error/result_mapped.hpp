// SPDX-License-Identifier: Apache-2.0
#pragma once
// out_axes of vmap say `unmapped` of a result that differs between the elements of the batch.
// JAX: ValueError, "vmap has mapped output but out_axes is None".

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct result_mapped {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE(
                                  "tessera: a result of vmap differs along the mapped axis, and out_axes leave it out. "
                                  "Fix: give it a dimension: out_axes<0>, or make it the same for all: psum<axis>(y).",
                                  Op, Facts...));
  }
};

template <>
struct words<reason::result_mapped> {
  template <class... Facts>
  using type = result_mapped<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the result differs along the mapped axis, and out_axes leave it out.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "give it a dimension: out_axes<0>, or make it the same for all: psum<axis>(y)";
  }
};

}  // namespace tessera::error
