// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values have another structure (one value, a tuple of two, a struct) than those whose place they take.
// JAX: TypeError (must have the same pytree structure).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

struct leaf {};  // a value of a tree
template <class Tree>
struct needed_tree {};
template <class Tree>
struct given_tree {};

template <class Op, class... Facts>
struct trees_differ {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE("tessera: given_tree<...> has another structure than needed_tree<...>: the body of a loop "
                         "returns the structure of init, a branch that of the others, a tangent or cotangent has that "
                         "of its values. Fix: the same structure: one value, or std::tuple{a, b} of as many.",
                         Op, Facts...));
  }
};

template <>
struct words<reason::trees_differ> {
  template <class... Facts>
  using type = trees_differ<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text +=
        "values have another structure than those whose place they take: the body of a loop returns the structure "
        "of init, a branch that of the others, a tangent or cotangent has that of its values.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "the same structure: one value, or std::tuple{a, b} of as many";
  }
};

}  // namespace tessera::error
