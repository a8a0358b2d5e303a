// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation has no rule for a dimension that its axes, of a mesh with uneven_axis, do not divide. Ours: JAX has no
// such arrays.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct uneven_unsupported {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation has no rule for a dimension of size<...> in "
                                               "blocks for padded_to<...>. Fix: gather it first: reshard<P<...>>(x) "
                                               "with none in its place, or make it even: pad_to_multiple<...>(x).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
