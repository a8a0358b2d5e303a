// SPDX-License-Identifier: Apache-2.0
#pragma once
// A C++ value that is neither an array nor a number stands as an operand. JAX: TypeError (not a valid JAX type).

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_an_array {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: what stands here is neither an array nor a number. Fix: pass (or "
                                   "return) an array, a traced value or a number; host<extents...>(v) and asarray(v) "
                                   "make one of numbers in memory.",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
