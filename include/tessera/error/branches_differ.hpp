// SPDX-License-Identifier: Apache-2.0
#pragma once
// The branches of a cond or switch_ return values of different types.
// JAX: TypeError, kind `branch_mismatch`.

#include <tessera/error/component.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct branches_differ {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: branches return different types: each component<...> has its path, what if_false (of switch_: the first) returns, what another one does, and what makes them one type. Fix: pvary_init: pvary<axis>(y) in the former; pvary_result, reshard_result, astype_result: do that in the latter.",
            Op, Facts...));
  }
};

template <>
struct words<reason::branches_differ> {
  template <class... Facts>
  using type = branches_differ<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "a branch returns a value of another type than the first one.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    detail::say_one_type(text, t, "what the first returns", "what this one returns");
  }
};

}  // namespace tessera::error
