// SPDX-License-Identifier: Apache-2.0
#pragma once
// first_block over `axes`: the block of the first device along them, on all: {V} -> {V without the axes}. A view:
// what devices read that have one memory; it stands only where they were promised to hold the same.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct first_block {
  static constexpr std::string_view name = "first_block";
  static constexpr op_class kind = op_class::shard_slice;
  static constexpr verdict rule(rule_input const& in) { return rule::all_reduce(in); }
};

// The same where devices belong to several processes: the first one's block is sent.
struct from_first {
  static constexpr std::string_view name = "from_first";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::permute;
  static constexpr verdict rule(rule_input const& in) { return rule::all_reduce(in); }
};

}  // namespace tessera::collectives
