// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective that was started and is never waited for, or only inside or outside of the loop body in which it began.
// JAX 0.10.2 takes such programs: the future is dropped.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct left_in_flight {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a collective is started and not waited for where it began. Fix: auto y = psum_done(token) in the same function or loop body.",
            Op, Facts...));
  }
};

template <>
struct words<reason::left_in_flight> {
  template <class... Facts>
  using type = left_in_flight<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "it was started here, and is not waited for where it began.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "one done for each start, in the same function or loop body";
  }
};

}  // namespace tessera::error
