// SPDX-License-Identifier: Apache-2.0
#pragma once
// scan is told how often it turns where arrays to go over should stand. JAX: lax.scan(f, init, length=10).

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct turns_as_argument {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: a number of turns stands where a scan has arrays to go over. Fix: scan<10>(f, init): the number is a template argument, and f takes the carry alone.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
