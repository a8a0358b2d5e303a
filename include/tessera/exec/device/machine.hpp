// SPDX-License-Identifier: Apache-2.0
#pragma once
// The facts of the processor that decide how memory is traversed, read once.

#include <tessera/base/level.hpp>

#include <cstdint>
#include <string>

namespace tessera {

namespace detail {

// Cache sizes in bytes, as one core sees them; 0 where the system does not say.
struct machine {
  std::string processor;
  std::int64_t l1 = 0, l2 = 0, l3 = 0;
  int cores = 1;        // cores that this process may use
  int cores_an_l3 = 1;  // how many of them share an L3 cache
  level highest{};      // the highest level of x86-64 that the processor has
};
machine const& this_machine();

}  // namespace detail

}  // namespace tessera
