// SPDX-License-Identifier: Apache-2.0
// promote gives what JAX gives for every pair of dtypes and weak dtypes, and promotes refuses the pairs that JAX refuses.

#include "aval/promotion_table.hpp"

#include <tessera/aval/promote.hpp>

namespace {

constexpr int first_wrong() {
  int i = 0;
  for (auto const& p : promotion::table) {
    bool const refused = p.result == tessera::dtype::boolean && (p.lhs != p.result || p.rhs != p.result);
    if (refused == tessera::promotes({p.lhs, p.lhs_weak}, {p.rhs, p.rhs_weak})) return i;
    if (!refused &&
        !(tessera::promote({p.lhs, p.lhs_weak}, {p.rhs, p.rhs_weak}) == tessera::weak_dtype{p.result, p.weak}))
      return i;
    ++i;
  }
  return -1;
}
static_assert(first_wrong() == -1);

}  // namespace
