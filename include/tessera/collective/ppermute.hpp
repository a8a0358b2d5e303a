// SPDX-License-Identifier: Apache-2.0
#pragma once
// ppermute over the axes of `order`: the device at position p gets the block of the one at position
// table[1 + p], zeros where that is -1. Block {V} -> block {V and the axes}. Bytes: B.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct ppermute {
  static constexpr std::string_view name = "ppermute";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::permute;
  static constexpr verdict rule(rule_input const& in) { return rule::moved(in); }
};

}  // namespace tessera::collectives
