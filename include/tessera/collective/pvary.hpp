// SPDX-License-Identifier: Apache-2.0
#pragma once
// pvary over attrs.axes: block {V} -> the same block {V and the axes}, seen as differing between the devices along them.
// A view: moves 0 bytes. Transpose: all_reduce. Source: JAX pvary.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct pvary {
  static constexpr std::string_view name = "pvary";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) {
    array_value out = in[0];
    out.varying |= in.attrs.axes;
    return accept(out);
  }
};

}  // namespace tessera::collectives
