// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_gather along dimension `dim` over the axes of `order`: block {V} -> n times longer
// block {V without the axes}. Bytes a device sends on a ring of n: (n - 1) B, B its block before.
// Transpose: reduce_scatter. Source: JAX all_gather(tiled=True), result invariant.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct all_gather {
  static constexpr std::string_view name = "all_gather";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_gather;
  static constexpr verdict rule(rule_input const& in) { return rule::all_gather(in); }
};

}  // namespace tessera::collectives
