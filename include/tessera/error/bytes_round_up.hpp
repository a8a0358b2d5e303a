// SPDX-License-Identifier: Apache-2.0
#pragma once
// comm_of over dynamic sizes and uneven axes: blocks of rounded up extents have no polynomial.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Program, class... Facts>
struct bytes_round_up {
  static consteval void explain() {
    static_assert(lawful<Program>,
                  TESSERA_SENTENCE("tessera: on an uneven axis blocks are rounded up, so that what is sent is no "
                                   "polynomial in unknown sizes. Fix: ask comm_of with sizes in the types of the mesh "
                                   "and the arguments, or use an explicit_axis.",
                                   Program, Facts...));
  }
};

}  // namespace tessera::error
