// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_map has not one spec, or vmap and pmap not one dimension, for each argument or result of the function.
// JAX: ValueError (specs passed to shard_map must be tree prefixes of its arguments).

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct specs_miscounted {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: there is not one entry for each argument, or each result, of the "
                                   "function. Fix: as many in in_specs<...> (in_axes<...>) as it takes "
                                   "arguments, in out_specs<...> (out_axes<...>) as the tuple it returns has "
                                   "elements; one alone is for all results.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::specs_miscounted> {
  template <class... Facts>
  using type = specs_miscounted<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "there are ", v.size, " entries for ", v.other, " arguments or results.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "as many entries as there are arguments, or results in the tuple";
  }
};

}  // namespace tessera::error
