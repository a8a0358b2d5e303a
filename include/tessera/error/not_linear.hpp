// SPDX-License-Identifier: Apache-2.0
#pragma once
// A function that must be linear is not: one that linear_transpose turns, the tangents of a custom_jvp, or a bwd of
// custom_vjp that forward mode turns.
// JAX: NotImplementedError (transpose rule not implemented), ValueError (linear_transpose); TypeError (jvp of custom_vjp).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_linear {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a function is not linear, and must be: that of linear_transpose in its arguments, the rule of custom_jvp in the tangents, bwd of custom_vjp in the cotangents if it is differentiated forward. Fix: linear operations only; or vjp(f, x), grad(f); for forward mode custom_jvp.",
            Op, Facts...));
  }
};

template <>
struct words<reason::not_linear> {
  template <class... Facts>
  using type = not_linear<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "a function that is transposed is not linear.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "linear operations only; or vjp(f, x), grad(f); for forward mode custom_jvp";
  }
};

}  // namespace tessera::error
