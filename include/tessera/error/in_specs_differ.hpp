// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_map's in_specs are not the layout that the argument has.
// JAX: ValueError, kind `in_specs_mismatch`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct in_specs_differ {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: in_specs are not the layout that the argument has. Fix: "
                                               "reshard<P<...>>(x) first, or leave in_specs out: "
                                               "shard_map<out_specs<...>>(f).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
