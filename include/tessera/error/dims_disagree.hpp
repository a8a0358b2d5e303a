// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two operands split the same dimension over different mesh axes. JAX: ShardingTypeError, kind `conflict`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct dims_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: two operands split the same dimension over different "
                                               "mesh axes. Fix: reshard<P<...>>(operand) first, as "
                                               "reshard_lhs<...> or reshard_rhs<...> says.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::dims_disagree> {
  template <class... Facts>
  using type = dims_disagree<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    detail::say_disagreement(text, t);
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    detail::say_reshard_first(text, t, found, "reshard<P<...>>(operand) first");
  }
};

}  // namespace tessera::error
