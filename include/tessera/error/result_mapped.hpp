// SPDX-License-Identifier: Apache-2.0
#pragma once
// out_axes of vmap say `unmapped` of a result that differs between the elements of the batch.
// JAX: ValueError, "vmap has mapped output but out_axes is None".

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct result_mapped {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE(
                                  "tessera: a result of vmap differs along the mapped axis, and out_axes leave it out. "
                                  "Fix: give it a dimension: out_axes<0>, or make it the same for all: psum<axis>(y).",
                                  Op, Facts...));
  }
};

}  // namespace tessera::error
