// SPDX-License-Identifier: Apache-2.0
#pragma once
// pvary<dp>(x), pcast<dp>(x, to_varying): the same block, seen as differing over dp: {V} -> {V and dp}. Operations on operands that vary over
// different axes do it by themselves; loop carries and branches ask for it. Moves 0 bytes. Transpose: psum.
// Source: JAX 0.10.2 lax.pcast(x, axis, to='varying'), lax.pvary.

#include <tessera/graph/backward.hpp>
#include <tessera/manual/axes.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/rule/manual.hpp>

namespace tessera {
namespace ops {

struct psum;

struct pvary {
  static constexpr std::string_view name = "pvary";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::cast_varying); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());  // give() sums over axes on which the operand does not vary
  }
};

}  // namespace ops

template <Axis... A, class X>
constexpr auto pvary(X const& x, site at = std::source_location::current()) {
  return invoke<ops::pvary, joined_axes<A...>>(at, x);
}

}  // namespace tessera
