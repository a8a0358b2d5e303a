// SPDX-License-Identifier: Apache-2.0
#pragma once
// jit over Auto axes. JAX: no error, GSPMD plans them.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct auto_axes_unplanned {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: jit over Auto axes needs a planner, which does not exist "
                                               "yet. Fix: make the mesh's axes explicit_axis.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
