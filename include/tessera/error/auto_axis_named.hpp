// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec names an Auto or Manual axis where only Explicit axes may stand. JAX: ValueError, kind `auto_axis_in_spec`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct auto_axis_named {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the spec names an axis that is not Explicit. Fix: leave the "
                                               "axis out here; with_sharding_constraint<P<...>>(x) guides Auto axes; "
                                               "or make it explicit_axis in the mesh.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
