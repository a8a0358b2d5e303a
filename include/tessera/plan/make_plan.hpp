// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a traced program to one that can run: lowered, grouped, placed. In constant evaluation or at run time.

#include <tessera/plan/lower.hpp>
#include <tessera/plan/memory.hpp>
#include <tessera/plan/steps.hpp>

namespace tessera {

// share false: nothing is stored or computed once for several devices. fuse false: one step for each operation.
constexpr growable_plan make_plan(graph_view global, bool share = true, bool fuse = true) {
  lowering lowered = lower(global, share);
  growable_plan plan;
  plan.local = std::move(lowered.local);
  plan.messages = std::move(lowered.messages);
  graph_view const local = plan.local.view();
  detail::fusion groups(local, fuse);
  detail::step_writer(local, groups, plan);
  detail::memory_planner(plan, local);
  return plan;
}

constexpr plan_size size_of(growable_plan const& p) {
  plan_size s;
  s.local = {p.local.nodes.size(), p.local.operands.size(), p.local.inputs.size(), p.local.outputs.size()};
  s.steps = p.steps.size();
  s.lists = p.lists.size();
  s.code = p.code.size();
  s.messages = p.messages.size();
  return s;
}

// A plan of exact size, as a constant.
template <std::size_t Nodes, std::size_t Operands, std::size_t Inputs, std::size_t Outputs, std::size_t Steps,
          std::size_t Lists, std::size_t Code, std::size_t Messages>
struct plan {
  graph<Nodes, Operands, Inputs, Outputs> local{};
  std::array<step, Steps> steps{};
  std::array<int, Lists> lists{};
  std::array<instruction, Code> code{};
  std::array<place, Nodes> places{};
  std::array<message, Messages> messages{};
  std::int64_t arena_bytes = 0;
  std::int64_t peak_bytes = 0;

  constexpr plan() = default;
  constexpr explicit plan(growable_plan const& from)
      : local(from.local), arena_bytes(from.arena_bytes), peak_bytes(from.peak_bytes) {
    for (std::size_t i = 0; i < Steps; ++i) steps[i] = from.steps[i];
    for (std::size_t i = 0; i < Lists; ++i) lists[i] = from.lists[i];
    for (std::size_t i = 0; i < Code; ++i) code[i] = from.code[i];
    for (std::size_t i = 0; i < Nodes; ++i) places[i] = from.places[i];
    for (std::size_t i = 0; i < Messages; ++i) messages[i] = from.messages[i];
    for (node& n : local.nodes) n.op = n.op->bare;
    for (instruction& i : code)
      if (i.op) i.op = i.op->bare;
    for (message& m : messages)
      if (m.cause) m.cause = m.cause->bare;
  }
  constexpr plan_view view() const {
    return {local.view(),  steps.data(),    static_cast<int>(Steps),    lists.data(), code.data(),
            places.data(), messages.data(), static_cast<int>(Messages), arena_bytes,  peak_bytes};
  }
};

}  // namespace tessera
