// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_reduce over `axes`: block {V} -> block {V without the axes}: the blocks of all devices along them combined.
// Bytes a device sends on a ring of n: ceil(2 (n - 1) B / n), B its block. Transpose: the value as it is, seen as
// varying (pvary). Source: JAX psum, pmax, pmin.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

template <monoid Monoid>
struct all_reduce {
  static constexpr std::string_view name = "all_reduce";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_reduce;
  static constexpr monoid reduction = Monoid;
  static constexpr verdict rule(rule_input const& in) { return rule::all_reduce(in); }
};

constexpr op_info const& all_reduce_by(monoid m) {
  switch (m) {
    case monoid::product: return planning_info<all_reduce<monoid::product>>;
    case monoid::max: return planning_info<all_reduce<monoid::max>>;
    case monoid::min: return planning_info<all_reduce<monoid::min>>;
    case monoid::logical_and: return planning_info<all_reduce<monoid::logical_and>>;
    case monoid::logical_or: return planning_info<all_reduce<monoid::logical_or>>;
    default: return planning_info<all_reduce<monoid::sum>>;
  }
}

}  // namespace tessera::collectives
