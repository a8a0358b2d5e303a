// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ops that promotion, broadcasting and differentiation insert: they are complete wherever an op is used.

#include <tessera/op/base/varying.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/reduce/reduce_sum.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/op/shape/reshard.hpp>

namespace tessera {

// A constant zero with these facts: element type, extents, layout, varying axes.
template <class B>
constexpr term zeros_of(B& b, array_value like) {
  auto const zero = number(b, 0.0, like.element);
  if (like.rank == 0 && like.varying.empty()) return zero;
  term made = zero;
  if (like.rank > 0) made = make<ops::broadcast_to>(b, {zero}, {broadcast_params{{}, like.shape()}, layout_of(like)});
  if (!made || like.varying.empty()) return made;
  return make<ops::pvary>(b, {made}, collective_params{like.varying});
}

}  // namespace tessera
