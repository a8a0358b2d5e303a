// SPDX-License-Identifier: Apache-2.0
#pragma once
// jit, or an operation, on arrays over Auto axes. JAX: no error, GSPMD plans them.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct auto_axes_unplanned {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: to compute on arrays over Auto axes takes a planner, "
                                               "which does not exist yet. Fix: make the mesh's axes explicit_axis; or "
                                               "compute on their blocks, inside shard_map.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
