// SPDX-License-Identifier: Apache-2.0
#pragma once
// auto_axes without out_shardings, or explicit_axes without in_shardings. JAX: TypeError, kind `needs_out_sharding`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct shardings_missing {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: auto_axes does not know how results lie where axes are Explicit again, explicit_axes how its arguments do. Fix: "
            "auto_axes<out_shardings<P<...>>>(f); explicit_axes<in_shardings<P<...>>>(f).",
            Op, Facts...));
  }
};

}  // namespace tessera::error
