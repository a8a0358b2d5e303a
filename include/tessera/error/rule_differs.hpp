// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rule of a custom_vjp or custom_jvp gives values of other types than its function.
// JAX: TypeError and ValueError (custom_vjp fwd and bwd, custom_jvp: output structure, shape and dtype).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct rule_differs {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a rule takes other arguments or gives another type than it must: fwd(x...) of custom_vjp std::tuple{f(x...), residuals}, bwd(residuals, cotangent) std::tuple{a cotangent like each argument}, the rule(primals, tangents) of custom_jvp std::tuple{result, a tangent like it}. Fix: reshard, astype, reshape or sum what is given (rhs) to the type that is needed (lhs); psum<...> of a cotangent that varies where its argument does not; float0{} for zero.",
            Op, Facts...));
  }
};

template <>
struct words<reason::rule_differs> {
  template <class... Facts>
  using type = rule_differs<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "its rule takes other arguments, or gives a value of another type than its function.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    detail::say_one_type(text, t, "the value", "what the rule gives for it");
  }
};

}  // namespace tessera::error
