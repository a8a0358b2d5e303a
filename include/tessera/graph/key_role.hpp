// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an operation does with a key of random numbers.

#include <cstdint>

namespace tessera {

enum class key_role : std::uint8_t {
  none,
  consumed,  // bits are made of it, or other keys: once
  cloned     // it counts as another one from here
};

}  // namespace tessera
