// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether the body of a kernel reads the block of operand k, or, behind the operands, what the block of a result held.

#include <tessera/graph/loop.hpp>
#include <tessera/plan/base/plan.hpp>

namespace tessera::detail {

constexpr bool body_reads(plan_view const& plan, plan_region const& body, int k) {
  int const block = plan.lists[body.inputs.first + body.captures + k];
  for (int id = 0; id < plan.local.node_count; ++id)
    for (int i = 0; i < plan.local[id].operand_count; ++i)
      if (plan.local.operand(id, i) == block) return true;
  return false;
}

}  // namespace tessera::detail
