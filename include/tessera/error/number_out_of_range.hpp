// SPDX-License-Identifier: Apache-2.0
#pragma once
// A C++ number meets an integer type that cannot hold it. JAX: OverflowError.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct number_out_of_range {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE(
                                  "tessera: a number does not fit the element type that it meets. Fix: a number in its "
                                  "range, or astype<T>(x) to a type that holds it.",
                                  Op, Facts...));
  }
};

}  // namespace tessera::error
