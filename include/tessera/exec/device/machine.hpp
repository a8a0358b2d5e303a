// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the processor has that decides how memory is walked, asked once; and all that speed depends on, as text.

#include <tessera/base/level.hpp>

#include <cstdint>
#include <string>

namespace tessera {

namespace detail {

// Bytes of the caches that a core reads through; 0 where the system does not say.
struct machine {
  std::string processor;
  std::int64_t l1 = 0, l2 = 0, l3 = 0;
  int cores = 1;        // that this process may use
  int cores_an_l3 = 1;  // of those, how many share it
  level highest{};      // the highest level of x86-64 that the processor has
};
machine const& this_machine();

}  // namespace detail

}  // namespace tessera
