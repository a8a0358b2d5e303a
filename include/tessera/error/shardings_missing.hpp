// SPDX-License-Identifier: Apache-2.0
#pragma once
// auto_axes without out_shardings, or explicit_axes without in_shardings. JAX: TypeError, kind `needs_out_sharding`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct shardings_missing {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: auto_axes does not know how results lie where axes are Explicit again, explicit_axes how its arguments do. Fix: "
            "auto_axes<out_shardings<P<...>>>(f); explicit_axes<in_shardings<P<...>>>(f).",
            Op, Facts...));
  }
};

template <>
struct words<reason::shardings_missing> {
  template <class... Facts>
  using type = shardings_missing<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "nothing says how values cross its border.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "auto_axes<out_shardings<P<...>>>(f), explicit_axes<in_shardings<P<...>>>(f)";
  }
};

}  // namespace tessera::error
