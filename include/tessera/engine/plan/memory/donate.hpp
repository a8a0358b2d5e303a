// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a result may overwrite an argument: no step reads the argument after the result is written, or the step that
// writes the result reads the argument element by element, or is a kernel whose result begins with the argument's
// values.
// Source: JAX buffer donation.

#include <tessera/engine/plan/memory/body_reads.hpp>
#include <tessera/plan/base/strides.hpp>

namespace tessera {
namespace detail {

// Whether a fused group reads and writes each element once, without passes over rows.
constexpr bool is_pointwise(plan_view const& plan, step const& s) {
  if (s.kind != step_kind::fused || !s.across.empty()) return false;
  for (int i = 0; i < s.code.count; ++i)
    if (auto const& it = plan.code[s.code.first + i]; it.row || it.kind == code_kind::reduce) return false;
  return true;
}

// Whether a step is a kernel that reads `argument` only as what its result `written` begins with.
constexpr bool only_begins_with(plan_view const& plan, step const& s, int written, int argument) {
  if (s.kind != step_kind::loop) return false;
  loop_shape const& kernel = loop_of(plan.local, s.node);
  if (kernel.kind != loop_kind::grid) return false;
  bool begins = false;
  for (int k = 0; k < s.outputs.count && k < kernel.grid->outputs; ++k)
    begins = begins || (plan.lists[s.outputs.first + k] == written && kernel.grid->output(k).alias >= 0 &&
                        plan.local.operand(s.node, kernel.grid->output(k).alias) == argument);
  for (int k = 0; k < plan.local[s.node].operand_count && begins; ++k)
    if (plan.local.operand(s.node, k) == argument)
      begins = k < kernel.grid->inputs && !body_reads(plan, plan.regions[s.region], k);
  return begins;
}

}  // namespace detail

constexpr bool may_overwrite(plan_view const& plan, int result, int argument) {
  graph_view const& g = plan.local;
  int const out = g.outputs[result], in = g.inputs[argument];
  place const& at = plan.places[out];
  array_value const &written = g[out].facts, &given = g[in].facts;
  if (at.kind != place_kind::result || at.index != result || plan.places[in].kind != place_kind::argument) return false;
  if (storage_bytes(written, *g.mesh) != storage_bytes(given, *g.mesh) || written.memory != given.memory) return false;
  bool begun = false;
  for (int s = 0; s < plan.step_count; ++s) {
    step const& now = plan.steps[s];
    bool writes = false;
    for (int k = 0; k < now.outputs.count; ++k) {
      place const& to = plan.places[detail::holder_of(plan.places, plan.lists[now.outputs.first + k])];
      writes = writes || (to.kind == place_kind::result && to.index == result);
    }
    begun = begun || writes;
    for (int k = 0; begun && k < now.inputs.count; ++k) {
      int const read = plan.lists[now.inputs.first + k];
      int base = read;
      while (shows_operand(g[base].op->kind)) base = g.operand(base, 0);
      if (base != in) continue;
      bool const in_place = writes && read == in && given.same_shape(written) && given.varying == written.varying &&
                            bytes_of(given.element) == bytes_of(written.element) &&
                            (detail::is_pointwise(plan, now) || detail::only_begins_with(plan, now, out, in));
      if (!in_place) return false;
    }
  }
  return begun;
}

}  // namespace tessera
