// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels compiled for a program whose sizes were not known: a plan made when they are finds those of its steps by
// what the steps compute. A step that is not among them is interpreted.

#include <tessera/exec/kernels.hpp>

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

// One a step of `running`; empty ones where no kernel is known.
inline std::vector<fused_kernel> find_kernels(plan_view const& running, compiled_plan const* known, std::size_t count) {
  std::vector<fused_kernel> found(static_cast<std::size_t>(running.step_count));
  for (int s = 0; s < running.step_count; ++s) {
    bool done = false;
    for (std::size_t p = 0; p < count && !done; ++p)
      for (int c = 0; c < known[p].plan.step_count && !done; ++c)
        if (same_kernel(running, running.steps[s], known[p].plan, known[p].plan.steps[c])) {
          found[static_cast<std::size_t>(s)] = known[p].kernels[c];
          done = true;
        }
  }
  return found;
}

}  // namespace tessera::detail
