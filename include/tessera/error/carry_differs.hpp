// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of a loop returns a carried value of another type than it was given.
// JAX: TypeError, kind `carry_mismatch`.

#include <tessera/error/component.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct carry_differs {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: the body of a loop returns carried values of other types than it began with: each component<...> has its path, both types, and what to write. Fix: pvary_init, reshard_init: pvary<axis>, reshard<P<...>, grid> of that part of init; or pvary_result, reshard_result, astype_result: do that to what the body returns for it.",
            Op, Facts...));
  }
};

template <>
struct words<reason::carry_differs> {
  template <class... Facts>
  using type = carry_differs<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "the loop's body returns a carried value of another type than it began with";
    if (v.size > 0) say(text, ", number ", v.size, " of the carry counted from 0");
    text += '.';
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    detail::say_one_type(text, t, "init", "what the body returns", true);
  }
};

}  // namespace tessera::error
