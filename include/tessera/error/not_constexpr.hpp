// SPDX-License-Identifier: Apache-2.0
#pragma once
// A traced function cannot be called while compiling: its operator() is not constexpr, or calls what is not. JAX has no
// such rule; the nearest is ConcretizationTypeError, for NumPy functions in traced code.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_constexpr {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the traced function is not constexpr, or calls what is not. Fix: "
                                   "write constexpr before its operator(); in it ts::sin(x) for std::sin(x), "
                                   "debug_print for std::cout.",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
