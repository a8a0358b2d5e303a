// SPDX-License-Identifier: Apache-2.0
#pragma once
// A key of random numbers of which draws are made more than once, or in each turn of a loop. JAX 0.10.2 refuses it with
// jax_debug_key_reuse alone.

#include <tessera/error/facts.hpp>

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

}  // namespace tessera::error
