// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_to_all over the axes of `order`: each device splits its block along dimension `dim`
// and joins what it receives along concat_dim. Block {V} -> block {V, the axes}.
// Bytes a device sends on a ring of n: ceil((n - 1) B / n), B its block. Transpose: all_to_all with the dimensions
// exchanged. Source: JAX all_to_all(tiled=True).

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct all_to_all {
  static constexpr std::string_view name = "all_to_all";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_to_all;
  static constexpr verdict rule(rule_input const& in) { return rule::all_to_all(in); }
};

}  // namespace tessera::collectives
