// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec leaves a dimension unconstrained where no planner decides it, or where layouts are to be said: everywhere but in
// with_sharding_constraint over Auto axes. JAX: ValueError, in in_shardings and out_shardings, and on meshes without Auto axes.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct unconstrained_dim {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the spec leaves a dimension unconstrained where layouts are "
                                               "said. Fix: none, or an axis, in its place; "
                                               "with_sharding_constraint<P<unconstrained, ...>>(x) over Auto axes "
                                               "leaves it to the planner.",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
