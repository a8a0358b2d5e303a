// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands live on different meshes. JAX: ValueError (incompatible devices or context mesh).

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct meshes_differ {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands live on different meshes. Fix: bring them onto "
                                               "one: device_put<P<...>>(x, mesh).",
                                               Op, Facts...));
  }
};

}  // namespace tessera::error
