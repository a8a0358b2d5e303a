// SPDX-License-Identifier: Apache-2.0
#pragma once
// auto_axes or explicit_axes over an axis that is Manual. JAX: NotImplementedError, kind `manual_to_auto`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct manual_axis_changed {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: auto_axes and explicit_axes cannot change an axis that is Manual: code inside shard_map sees one "
            "device's block. Fix: name the other axes, axis_names<...>; or call it outside of shard_map.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
