// SPDX-License-Identifier: Apache-2.0
#pragma once
// all_reduce, all_gather, reduce_scatter and all_to_all within groups of the devices along the axes of `order`,
// which `table` lists (rule/device_groups.hpp). As the ones without groups, in which n is a group's size; but
// results differ over the axes: block {V} -> block {V and the axes}. Source: JAX axis_index_groups.

#include <tessera/graph/op_info.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

template <collective Kind, monoid Monoid = monoid::none>
struct grouped {
  static constexpr std::string_view name = Kind == collective::all_reduce       ? "all_reduce"
                                           : Kind == collective::all_gather     ? "all_gather"
                                           : Kind == collective::reduce_scatter ? "reduce_scatter"
                                                                                : "all_to_all";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = Kind;
  static constexpr monoid reduction = Monoid;
  static constexpr verdict rule(rule_input const& in) {
    verdict v = Kind == collective::all_reduce       ? rule::reduce_in_groups(in)
                : Kind == collective::all_gather     ? rule::all_gather(in)
                : Kind == collective::reduce_scatter ? rule::reduce_scatter(in)
                                                     : rule::all_to_all(in);
    v.result.varying |= in.attrs.as<collective_params>().order.axes();
    return v;
  }
};

constexpr op_info const& in_groups(collective kind, monoid how) {
  switch (kind) {
    case collective::all_gather: return planning_info<grouped<collective::all_gather>>;
    case collective::reduce_scatter: return planning_info<grouped<collective::reduce_scatter, monoid::sum>>;
    case collective::all_to_all: return planning_info<grouped<collective::all_to_all>>;
    default: break;
  }
  if (how == monoid::max) return planning_info<grouped<collective::all_reduce, monoid::max>>;
  if (how == monoid::min) return planning_info<grouped<collective::all_reduce, monoid::min>>;
  return planning_info<grouped<collective::all_reduce, monoid::sum>>;
}

}  // namespace tessera::collectives
