// SPDX-License-Identifier: Apache-2.0
#pragma once
// with_sharding_constraint on a fully Explicit mesh, an assertion about x's layout that failed.
// JAX: ValueError, kind `wsc_mismatch`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct constraint_differs {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: with_sharding_constraint asserts a layout that the array "
                                               "does not have: all axes of its mesh are Explicit. Fix: "
                                               "reshard<P<...>>(x) changes the layout.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::constraint_differs> {
  template <class... Facts>
  using type = constraint_differs<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the array does not have the asserted layout, and no planner may change it: all its axes are Explicit.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "reshard<P<...>>(x) changes a layout over Explicit axes";
  }
};

}  // namespace tessera::error
