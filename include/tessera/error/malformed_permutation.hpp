// SPDX-License-Identifier: Apache-2.0
#pragma once
// A permutation in which a device does not exist, or sends or receives twice.
// JAX: ValueError, kind `bad_collective_params`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct malformed_permutation {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a permutation names a device that does not exist, or one that "
                                   "sends or receives twice. Fix: each device from 0 to n - 1 at most once on "
                                   "either side.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::malformed_permutation> {
  template <class... Facts>
  using type = malformed_permutation<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<index<Size>, parts<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "device ", v.size, " is not one of ", v.other, ", or it sends or receives twice.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "each device from 0 to n - 1 at most once on either side";
  }
};

}  // namespace tessera::error
