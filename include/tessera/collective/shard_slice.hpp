// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_slice along dimension `dim` by the axes of `order`: each device's part of a
// dimension it has whole. Block {V} -> n times shorter block {V and the axes}. A view: moves 0 bytes.
// Transpose: its part put in place, zeros elsewhere, summed over the axes.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct shard_slice {
  static constexpr std::string_view name = "shard_slice";
  static constexpr op_class kind = op_class::shard_slice;
  static constexpr verdict rule(rule_input const& in) { return rule::shard_slice(in); }
};

}  // namespace tessera::collectives
