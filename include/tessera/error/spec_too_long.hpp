// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec has more entries than the array has dimensions. JAX: ValueError, kind `rank_mismatch`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct spec_too_long {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the spec has more entries than the array has dimensions. "
                                               "Fix: at most one entry for each dimension; axes<a, b> splits one "
                                               "dimension over two axes.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
