// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that were compiled for a program of unknown sizes. A plan that is made once the sizes are known finds kernels
// for its steps by what the steps compute. A step without a kernel is interpreted.

#include <tessera/exec/run/kernels.hpp>

#include <span>
#include <vector>

namespace tessera::detail {

// A plan made at compile time, with one kernel per step.
struct compiled_plan {
  plan_view plan;
  fused_kernel const* kernels;
};

// Whether both steps have the same kernel type.
constexpr bool same_kernel(plan_view const& running, step const& r, plan_view const& compiled, step const& c) {
  if (r.kind != step_kind::opaque || c.kind != step_kind::opaque) return same_code(running, r, compiled, c);
  auto const element = [](plan_view const& p, step const& s) { return p.local[p.lists[s.inputs.first]].facts.element; };
  return bare_of(running.local[r.node].op) == bare_of(compiled.local[c.node].op) &&
         element(running, r) == element(compiled, c);
}

// The first known kernel of the step's type; empty if there is none.
inline fused_kernel find_kernel(plan_view const& running, step const& s, std::span<compiled_plan const> known) {
  for (compiled_plan const& k : known)
    for (int c = 0; c < k.plan.step_count; ++c)
      if (same_kernel(running, s, k.plan, k.plan.steps[c])) return k.kernels[c];
  return {};
}
// One kernel per step of `running`.
inline std::vector<fused_kernel> find_kernels(plan_view const& running, std::span<compiled_plan const> known) {
  std::vector<fused_kernel> found;
  for (int s = 0; s < running.step_count; ++s) found.push_back(find_kernel(running, running.steps[s], known));
  return found;
}

}  // namespace tessera::detail
