// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective that is not tiled removes a dimension, which has to have one element for each device.
// JAX: ValueError, kinds `indivisible`, `bad_collective_params`.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct not_one_per_device {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: without tiled the dimension at_dim<...> goes, and has to have exactly one element for each device: parts<...>. Fix: give it that extent; or say tiled as the last argument, and it gets so many times shorter.",
            Op, Facts...));
  }
};

}  // namespace tessera::error
