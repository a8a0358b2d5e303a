// SPDX-License-Identifier: Apache-2.0
#pragma once
// An index or a slice reaches beyond its dimension. JAX: IndexError, TypeError (slice), kind `shape_error`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct index_out_of_range {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an index or a slice reaches beyond its dimension. Fix: stay "
                                               "between 0 and the extent; a stride is not 0.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
