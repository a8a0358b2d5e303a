// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a traced program to a plan: lowered, fused, placed in memory. In constant evaluation or at run time.

#include <tessera/plan/base/plan_choices.hpp>
#include <tessera/plan/fuse/steps.hpp>
#include <tessera/plan/lower/link.hpp>
#include <tessera/plan/lower/lower.hpp>
#include <tessera/plan/memory/arena.hpp>
#include <tessera/plan/message/join_messages.hpp>
#include <tessera/plan/message/message_order.hpp>

namespace tessera {
namespace detail {

constexpr growable_plan plan_of(lowering& lowered, plan_choices const& how, bool region = false) {
  growable<growable_plan> regions;
  for (lowering& part : lowered.regions) regions.push_back(plan_of(part, how, true));
  growable_plan plan;
  plan.local = std::move(lowered.local);
  plan.messages = std::move(lowered.messages);
  graph_view const local = plan.local.view();
  fusion groups(local, how);
  step_writer(local, groups, plan);
  if (!region && !local.mesh->remote().empty()) message_order{plan};
  memory_planner(plan, local, regions, lowered.first_strided);
  plan.own_steps = static_cast<int>(plan.steps.size());
  for (int s = 0; s < plan.own_steps; ++s)
    if (plan.steps[s].kind == step_kind::loop) link_regions(plan, s, lowered, regions);
  return plan;
}

}  // namespace detail

constexpr growable_plan make_plan(graph_view global, plan_choices const& how = {}) {
  lowering lowered = lower(global, how.share);
  detail::join_messages(lowered, how.joined);
  return detail::plan_of(lowered, how);
}

// A plan as a constant, of exactly the size Size or with room for that. Its operations are names without functions;
// kernels take their place.
template <plan_size Size>
struct plan {
  graph<Size.local> local{};
  std::array<step, Size.steps> steps{};
  std::array<int, Size.lists> lists{};
  std::array<instruction, Size.code> code{};
  std::array<place, Size.local.nodes> places{};
  std::array<message, Size.messages> messages{};
  std::array<plan_region, Size.regions> regions{};
  std::int64_t arena_bytes = 0;
  std::int64_t host_bytes = 0;
  std::int64_t peak_bytes = 0;
  int own_steps = 0, region_slots = 0;

  constexpr plan() = default;
  constexpr explicit plan(plan_view const& from) { take(from); }
  constexpr void take(plan_view const& from) {
    local.take(from.local);
    arena_bytes = from.arena_bytes;
    host_bytes = from.host_bytes;
    peak_bytes = from.peak_bytes;
    own_steps = from.own_steps;
    region_slots = from.region_slots;
    detail::put_into(steps, from.steps, from.step_count);
    detail::put_into(lists, from.lists, from.list_count);
    detail::put_into(code, from.code, from.code_count);
    detail::put_into(places, from.places, from.local.node_count);
    detail::put_into(messages, from.messages, from.message_count);
    detail::put_into(regions, from.regions, from.region_count);
    for (int i = 0; i < from.local.node_count; ++i) without_functions(local.nodes.data()[i].op);
    for (int i = 0; i < from.code_count; ++i) without_functions(code.data()[i].op);
    for (int i = 0; i < from.message_count; ++i) without_functions(messages.data()[i].cause);
  }
  constexpr plan_view view(plan_size const& used = Size) const {
    return detail::plan_view_of(*this, local.view(used.local), used);
  }

private:
  static constexpr void without_functions(op_info const*& op) { op = detail::bare_of(op); }
};

}  // namespace tessera
