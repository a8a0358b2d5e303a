// SPDX-License-Identifier: Apache-2.0
#pragma once
// debug_print as an operation: an effect without a result. view/debug_print.hpp has the function for users, and the
// printing.

#include <tessera/graph/builder.hpp>
#include <tessera/graph/effect.hpp>

namespace tessera::ops {

struct debug_print {
  static constexpr std::string_view name = "debug_print";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) {
    for (int k = 0; k < in.count; ++k)
      if (!in[k].unreduced.empty()) {
        verdict v = refuse(reason::unreduced_operand, -1, in[k].unreduced);
        v.operand = k;
        return v;
      }
    array_value nothing;
    nothing.element = dtype::int32;
    nothing.add_dim(0);
    return accept(nothing);
  }
  static void act(effect_call const& call);
};

}  // namespace tessera::ops
