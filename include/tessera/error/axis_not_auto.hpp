// SPDX-License-Identifier: Apache-2.0
#pragma once
// with_sharding_constraint names an axis that the planner does not decide. JAX: ValueError, kind `wsc_axis_type`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct axis_not_auto {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: with_sharding_constraint names an axis that is not Auto. "
                                               "Fix: reshard<P<...>>(x) changes the layout over Explicit axes.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
