// SPDX-License-Identifier: Apache-2.0
#pragma once
// sum over dimensions (all if none is named): the result has them removed. A sharded summed dimension drops its axes:
// one all_reduce over them, implicitly, as in JAX. Bytes: 2(n-1)/n of the
// result's local block. Source: JAX 0.10.2 lax.reduce_sum; conformance surprise 5.

#include <tessera/graph/builder.hpp>
#include <tessera/rule/reduction.hpp>

namespace tessera::ops {

struct broadcast_to;

struct reduce_sum {
  static constexpr std::string_view name = "sum";
  static constexpr op_class kind = op_class::reduce;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::reduce(in); }

  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    extents_list const dims = back.attrs().template as<reduce_params>().dims;
    broadcast_params to{{}, x.shape()};
    for (int d = 0; d < x.rank; ++d)
      if (!dims.contains(d)) to.dims.push_back(d);
    spec_value layout;
    layout.rank = x.rank;
    layout.entries = x.spec;
    back.give(0, make<broadcast_to>(back, {back.cotangent()}, {to, layout}));
  }
};

}  // namespace tessera::ops

#include <tessera/op/base/foundation.hpp>
