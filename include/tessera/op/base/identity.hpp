// SPDX-License-Identifier: Apache-2.0
#pragma once
// identity: x -> x. grad marks with it the values that it differentiates by. Lowering removes it.

#include <tessera/op/base/elementwise.hpp>

namespace tessera::ops {

struct identity {
  static constexpr std::string_view name = "identity";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};
static_assert(op_register<identity>::done);  // an error may name it

}  // namespace tessera::ops
