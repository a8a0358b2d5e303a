// SPDX-License-Identifier: Apache-2.0
#pragma once
// reduce_scatter along dimension `dim` over the axes of `order`: the sum of the blocks along
// the axes, of which each device keeps its part. Block {V} -> n times shorter block {V}.
// Bytes a device sends on a ring of n: (n - 1) B / n, B its block before. Transpose: all_gather. Source: JAX psum_scatter.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct reduce_scatter {
  static constexpr std::string_view name = "reduce_scatter";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::reduce_scatter;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::reduce_scatter(in); }
};

}  // namespace tessera::collectives
