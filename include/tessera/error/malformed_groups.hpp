// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of devices that leave one out, name one twice or one that does not exist; or that differ in size where a
// dimension is shared among them. JAX: ValueError for the former, an assertion or a failed lowering for the latter.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct malformed_groups {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a device is in no group of this collective, in two of them, or in one "
                                   "of another size. Fix: each device from 0 to n - 1 in one group, all groups of "
                                   "one size; of any size for psum, pmax and pmin.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::malformed_groups> {
  template <class... Facts>
  using type = malformed_groups<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<index<Size>, parts<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "device ", v.size, " of ", v.other, " is in no group, in two, or in one of another size.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "each device in one group, all of one size (psum, pmax, pmin: of any)";
  }
};

}  // namespace tessera::error
