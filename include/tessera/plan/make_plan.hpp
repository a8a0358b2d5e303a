// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a traced program to one that can run: lowered, grouped, placed. In constant evaluation or at run time.

#include <tessera/plan/link.hpp>
#include <tessera/plan/lower.hpp>
#include <tessera/plan/memory.hpp>
#include <tessera/plan/steps.hpp>

namespace tessera {
namespace detail {

constexpr growable_plan plan_of(lowering& lowered, bool fuse) {
  growable<growable_plan> regions;
  for (lowering& part : lowered.regions) regions.push_back(plan_of(part, fuse));
  growable_plan plan;
  plan.local = std::move(lowered.local);
  plan.messages = std::move(lowered.messages);
  graph_view const local = plan.local.view();
  fusion groups(local, fuse);
  step_writer(local, groups, plan);
  memory_planner(plan, local, regions);
  plan.own_steps = static_cast<int>(plan.steps.size());
  for (int s = 0; s < plan.own_steps; ++s)
    if (plan.steps[static_cast<std::size_t>(s)].kind == step_kind::loop) link_regions(plan, s, lowered, regions);
  return plan;
}

}  // namespace detail

// share false: nothing is stored or computed once for several devices. fuse false: one step for each operation.
constexpr growable_plan make_plan(graph_view global, bool share = true, bool fuse = true) {
  lowering lowered = lower(global, share);
  return detail::plan_of(lowered, fuse);
}

// A plan of exact size, as a constant.
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
  std::int64_t peak_bytes = 0;
  int own_steps = 0, region_slots = 0;

  constexpr plan() = default;
  constexpr explicit plan(growable_plan const& from)
      : local(from.local),
        arena_bytes(from.arena_bytes),
        peak_bytes(from.peak_bytes),
        own_steps(from.own_steps),
        region_slots(from.region_slots) {
    for (std::size_t i = 0; i != Size.steps; ++i) steps[i] = from.steps[i];  // nvcc warns of `i < 0`
    for (std::size_t i = 0; i != Size.lists; ++i) lists[i] = from.lists[i];
    for (std::size_t i = 0; i != Size.code; ++i) code[i] = from.code[i];
    for (std::size_t i = 0; i != Size.local.nodes; ++i) places[i] = from.places[i];
    for (std::size_t i = 0; i != Size.messages; ++i) messages[i] = from.messages[i];
    for (std::size_t i = 0; i != Size.regions; ++i) regions[i] = from.regions[i];
    for (node& n : local.nodes) n.op = n.op->bare;
    for (instruction& i : code)
      if (i.op) i.op = i.op->bare;
    for (message& m : messages)
      if (m.cause) m.cause = m.cause->bare;
  }
  constexpr plan_view view() const {
    return {local.view(),  steps.data(),    static_cast<int>(Size.steps),    lists.data(), code.data(),
            places.data(), messages.data(), static_cast<int>(Size.messages), arena_bytes,  peak_bytes,
            own_steps,     regions.data(),  static_cast<int>(Size.regions),  region_slots};
  }
};

}  // namespace tessera
