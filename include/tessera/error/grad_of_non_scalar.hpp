// SPDX-License-Identifier: Apache-2.0
#pragma once
// grad of a function whose result is not one floating scalar.
// JAX: TypeError (Gradient only defined for scalar-output functions).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct grad_of_non_scalar {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: grad needs a function that returns one floating scalar. Fix: "
                                               "reduce the result first: sum(y) or mean(y).",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::grad_of_non_scalar> {
  template <class... Facts>
  using type = grad_of_non_scalar<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the function's result is not one floating scalar.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "reduce it first: sum(y) or mean(y)";
  }
};

}  // namespace tessera::error
