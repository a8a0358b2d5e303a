// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels compiled for a program whose sizes were not known: a plan made when they are finds those of its steps by
// what the steps compute. A step that is not among them is interpreted.

#include <tessera/exec/fused/kernels.hpp>

#include <span>
#include <vector>

namespace tessera::detail {

// A plan made while compiling, with one kernel a step.
struct compiled_plan {
  plan_view plan;
  fused_kernel const* kernels;
};

constexpr bool same_op(op_info const* running, op_info const* compiled) {
  return (running ? running->bare : nullptr) == compiled;
}
constexpr bool same_instruction(instruction const& running, instruction const& compiled) {
  if (running.kind != compiled.kind || running.element != compiled.element || running.row != compiled.row) return false;
  bool const node_named = running.kind == code_kind::literal || running.kind == code_kind::index;
  return node_named || (same_op(running.op, compiled.op) && running.a == compiled.a && running.b == compiled.b &&
                        running.c == compiled.c);
}
// Would both steps have the same kernel type?
constexpr bool same_kernel(plan_view const& running, step const& r, plan_view const& compiled, step const& c) {
  if (r.kind != c.kind) return false;
  if (r.kind == step_kind::opaque) {
    auto const element = [](plan_view const& p, step const& s) {
      return p.local[p.lists[s.inputs.first]].facts.element;
    };
    return same_op(running.local[r.node].op, compiled.local[c.node].op) && element(running, r) == element(compiled, c);
  }
  if (r.kind != step_kind::fused || r.code.count != c.code.count || r.inputs.count != c.inputs.count ||
      r.outputs.count != c.outputs.count)
    return false;
  for (int i = 0; i < r.code.count; ++i)
    if (!same_instruction(running.code[r.code.first + i], compiled.code[c.code.first + i])) return false;
  return true;
}

// The first kernel that would be this step's own; an empty one when none is known.
inline fused_kernel find_kernel(plan_view const& running, step const& s, std::span<compiled_plan const> known) {
  for (compiled_plan const& k : known)
    for (int c = 0; c < k.plan.step_count; ++c)
      if (same_kernel(running, s, k.plan, k.plan.steps[c])) return k.kernels[c];
  return {};
}
// One a step of `running`.
inline std::vector<fused_kernel> find_kernels(plan_view const& running, std::span<compiled_plan const> known) {
  std::vector<fused_kernel> found;
  for (int s = 0; s < running.step_count; ++s) found.push_back(find_kernel(running, running.steps[s], known));
  return found;
}

}  // namespace tessera::detail
