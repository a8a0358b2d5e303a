// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arithmetic of integers that wraps.

#include <tessera/base/config.hpp>
#include <tessera/base/functions.hpp>

#include <type_traits>

namespace tessera {

namespace functions {

// An integer as an unsigned one, at least as wide as int, whose sums, differences and products wrap; others as they are.
template <class T>
TESSERA_FUNCTION constexpr auto wrapping(T const& x) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<std::make_unsigned_t<decltype(x + 0)>>(x);
  else
    return x;
}

}  // namespace functions

}  // namespace tessera
