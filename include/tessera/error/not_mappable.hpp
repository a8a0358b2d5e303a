// SPDX-License-Identifier: Apache-2.0
#pragma once
// vmap of an operation that has no rule for it: all_to_all and ppermute over the mapped axis together with others,
// opaque operations whose parameters say nothing of dimensions, shard_map over an axis that splits the mapped dimension.
// JAX: NotImplementedError, or a ValueError.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_mappable {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: vmap has no rule for this operation on these operands. Fix: "
                                               "write the batch dimension out, or move the operation out of vmap.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::not_mappable> {
  template <class... Facts>
  using type = not_mappable<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "vmap has no rule for it on these operands.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "write the batch dimension out, or move the operation out of vmap";
  }
};

}  // namespace tessera::error
