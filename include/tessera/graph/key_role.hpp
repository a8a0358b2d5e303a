// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an operation does with a key of random numbers.

#include <cstdint>

namespace tessera {

enum class key_role : std::uint8_t {
  none,
  consumed,  // bits or other keys are made from it, once
  cloned     // the result counts as another key
};

}  // namespace tessera
