// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_map's out_specs leave out an axis over which the result differs between devices.
// JAX: ValueError, kind `out_specs_not_replicated`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct result_varies {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: out_specs leave out an axis over which the result differs between"
                                   " devices. Fix: name the axis in the spec, or make the result the same on "
                                   "all of them: psum<axis>(y).",
                                   Op, Facts...));
  }
};

}  // namespace tessera::error
