// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tangent of jvp, or a cotangent of a pullback, has another type than its argument or result.
// JAX: TypeError and ValueError (primal and tangent arguments must have equal shapes and dtypes).

#include <tessera/error/component.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct tangents_differ {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: tangents have the types of the arguments, cotangents of a pullback those of the results: each component<...> has its path, the type that is needed, and the given one. Fix: reshard_result, astype_result, pvary_result: do that to what is given; or make it with zeros_like(x), ones_like(x).",
            Op, Facts...));
  }
};

template <>
struct words<reason::tangents_differ> {
  template <class... Facts>
  using type = tangents_differ<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "a tangent has another type than its argument, or a cotangent than its result.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    detail::say_one_type(text, t, "the value", "what is given for it");
  }
};

}  // namespace tessera::error
