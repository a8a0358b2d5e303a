// SPDX-License-Identifier: Apache-2.0
#pragma once
// A batch of keys stands where one is needed, or one of a key's two words. JAX: TypeError, "normal accepts a single key".

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_one_key {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: random numbers are drawn from one key: this is a batch of keys, or a "
                                   "part of a key. Fix: vmap(f)(keys), or keys.at(i).get(); vmap and scan take "
                                   "slices of random::split_batch<8>(key), not of key.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::not_one_key> {
  template <class... Facts>
  using type = not_one_key<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    if (t.what.size == 0)
      text += "this is one of the two words of a key.";
    else
      say(text, "this is a batch of keys of ", t.what.size - 1, " dimensions, and one key is needed.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    if (t.what.size == 0)
      text += "vmap(f)(random::split_batch<8>(key)), scan over such a batch: a lone key has no slices";
    else
      text += "vmap(f)(keys), or keys.at(i).get()";
  }
};

}  // namespace tessera::error
