// SPDX-License-Identifier: Apache-2.0
#pragma once
// A dimension is named that the array does not have, or named twice.
// JAX: ValueError (axis out of bounds), kind `shape_error`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct dim_out_of_range {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation names a dimension that the array does not "
                                               "have, or one twice. Fix: name each dimension once, from 0 to rank - "
                                               "1; negative ones count from the end.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
