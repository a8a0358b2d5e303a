// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function cannot be called while compiling: its operator() is not constexpr, or calls what is not. JAX has no
// such rule; the nearest is ConcretizationTypeError, for NumPy functions in traced code.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_constexpr {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE("tessera: the traced function is not constexpr, or calls what is not. Fix: "
                         "write constexpr before its operator(); in it ts::sin(x) for std::sin(x), "
                         "debug_print for std::cout; with clang 19 lambdas capture structured bindings by value, "
                         "[x = x].",
                         Op, Facts...));
  }
};

template <>
struct words<reason::not_constexpr> {
  template <class... Facts>
  using type = not_constexpr<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the traced function is not constexpr, or calls what is not.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text +=
        "constexpr operator(); ts::sin(x) for std::sin(x), debug_print for std::cout; with clang 19 [x = x] of "
        "structured bindings";
  }
};

}  // namespace tessera::error
