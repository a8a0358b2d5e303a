// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which operations support dimensions that are not divisible by their axes; others are refused. Blocks have ceil(extent
// / parts) elements; elements beyond the extent are padding with arbitrary values, on which no value that is read may
// depend. plan/ ensures that: padding is masked before it is combined, and dimensions along which elements move are
// whole.
// Source: ours; JAX refuses such shardings of arguments and pads inside XLA.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/spec.hpp>

namespace tessera::detail {

constexpr bool knows_padding(op_info const& op) {
  switch (op.kind) {
    case op_class::scatter: return op.reduction != monoid::none;  // padding among the indices must change nothing
    case op_class::enter:
    case op_class::leave:
    case op_class::axis_index:
    case op_class::shard_slice:
    case op_class::collective: return false;
    default: return true;
  }
}

constexpr verdict judge_padding(op_info const& op, rule_input const& in, array_value const& result) {
  if (knows_padding(op)) return {};
  for (int i = 0; i < in.count; ++i)
    if (verdict v = rule::full_blocks(in[i], i, in.mesh); !v) return v;
  return rule::full_blocks(result, -1, in.mesh);
}

}  // namespace tessera::detail
