// SPDX-License-Identifier: Apache-2.0
#pragma once
// pvary<dp>(x), pcast<dp>(x, to_varying): the same block, seen as differing over dp: {V} -> {V and dp}. Operations on operands that vary over
// different axes do it by themselves; loop carries and branches ask for it. Moves 0 bytes. Transpose: psum.
// Source: JAX 0.10.2 lax.pcast(x, axis, to='varying'), which was lax.pvary before 0.10.

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
