// SPDX-License-Identifier: Apache-2.0
#pragma once
// axis_index over the axes of `order`: () -> int32[] {V: the axes}, the device's position along
// them. Has no memory where it is used in a fused group. Moves 0 bytes. Source: JAX axis_index.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct axis_index {
  static constexpr std::string_view name = "axis_index";
  static constexpr op_class kind = op_class::axis_index;
  static constexpr verdict rule(rule_input const& in) {
    array_value position;
    position.element = dtype::int32;
    position.varying = in.attrs.as<collective_params>().order.axes();
    return accept(position);
  }
};

}  // namespace tessera::collectives
