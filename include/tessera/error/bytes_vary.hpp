// SPDX-License-Identifier: Apache-2.0
#pragma once
// comm_of of a program that sends other messages, or how many is not known, for other sizes.

#include <tessera/error/facts.hpp>

namespace tessera::error {

template <class Program, class... Facts>
struct bytes_vary {
  static consteval void explain() {
    static_assert(lawful<Program>,
                  TESSERA_SENTENCE("tessera: what this program sends is no polynomial in its unknown sizes. Fix: ask "
                                   "comm_of with sizes in the types of the arguments.",
                                   Program, Facts...));
  }
};

}  // namespace tessera::error
