// SPDX-License-Identifier: Apache-2.0
#pragma once
// pvary<dp>(x), pcast<dp>(x, to_varying): the same block with a type that varies over dp: {V} -> {V and dp}. Operations
// on operands that vary over different axes insert it; loop carries and branches need it in the program. Moves 0 bytes.
// Transpose: psum. Source: JAX 0.10.2 lax.pcast(x, axis, to='varying'), before 0.10 lax.pvary.

#include <tessera/manual/axes.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/varying.hpp>

namespace tessera {

namespace functions {

template <Axis... A, class X>
constexpr auto pvary(X const& x, site at = std::source_location::current()) {
  return invoke<ops::pvary, joined_axes<A...>>(at, x);
}

}  // namespace functions

}  // namespace tessera
