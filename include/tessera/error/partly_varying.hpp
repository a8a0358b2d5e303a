// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sum over several axes of a value that differs over some of them only.
// JAX: ValueError, kind `mixed_vma_axes`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct partly_varying {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the value differs between devices over some of the summed axes "
                                   "and is the same over others. Fix: sum over the former, or pvary<axis>(x) "
                                   "first to count copies.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::partly_varying> {
  template <class... Facts>
  using type = partly_varying<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    text += "the value is the same on all devices over ";
    say_axes(text, v.axes, t.mesh);
    text += " and differs over the other axes of the sum.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "sum over the latter, or pvary<axis>(x) first, to count copies";
  }
};

}  // namespace tessera::error
