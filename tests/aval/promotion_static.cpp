// SPDX-License-Identifier: Apache-2.0
// promote gives what JAX gives for every pair of dtypes and weak dtypes.

#include "aval/promotion_table.hpp"

namespace {

constexpr int first_wrong() {
  int i = 0;
  for (auto const& p : promotion::table) {
    if (!(tessera::promote({p.lhs, p.lhs_weak}, {p.rhs, p.rhs_weak}) == tessera::weak_dtype{p.result, p.weak}))
      return i;
    ++i;
  }
  return -1;
}
static_assert(first_wrong() == -1);

}  // namespace
