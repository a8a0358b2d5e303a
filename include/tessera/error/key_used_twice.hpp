// SPDX-License-Identifier: Apache-2.0
#pragma once
// A key of random numbers of which draws are made more than once, or in each turn of a loop. JAX 0.10.2 refuses it with
// jax_debug_key_reuse alone.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct key_used_twice {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: random numbers are drawn from one key more than once: they would be the same. Fix: auto [a, b] = random::split(key), a key for each draw; random::fold_in(key, i) in a loop; random::clone(key) for the same numbers once more.",
            Op, Facts...));
  }
};

template <>
struct words<reason::key_used_twice> {
  template <class... Facts>
  using type = key_used_twice<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text +=
        "random numbers, or keys, were made of this key before, or are in each turn of a loop: they would be the same.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "auto [a, b] = random::split(key), a key for each; random::clone(key) for the same numbers once more";
  }
};

}  // namespace tessera::error
