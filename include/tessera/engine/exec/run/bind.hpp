// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a plan: computes all addresses, and makes a table of steps that decide and allocate nothing when they run.

#include <tessera/engine/exec/run/bound_step.hpp>
#include <tessera/engine/exec/run/chain_memory.hpp>
#include <tessera/engine/exec/run/message_times.hpp>
#include <tessera/engine/exec/run/nan_watch.hpp>
#include <tessera/engine/exec/run/step_label.hpp>
#include <tessera/plan/message/message_order.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

namespace detail {

struct bound_plan {
  std::vector<bound_step> steps;
  std::vector<step_chain> chains;          // in the order of steps
  std::vector<std::string> chained;        // labels of the chains
  bool sends = false;                      // whether it sends to other processes
  std::vector<std::vector<int>> starting;  // by step: messages started before it
  int own_steps = 0;                       // the first steps; loops run the others
  int slots = 0, arena_slot = 0;
  std::int64_t arena_bytes = 0;  // temporaries, staging of messages, scratch
  std::vector<std::int64_t> staging;
  std::int64_t scratch_offset = 0;
};

TESSERA_COLD inline std::vector<done_exchange> exchanges_of(plan_view const& plan, step const& s) {
  std::vector<done_exchange> all;
  for (int i = 0; i < s.exchanges.count; ++i) {
    int const id = plan.lists[s.exchanges.first + i];
    node const& n = plan.local[id];
    array_value const& x = plan.local[plan.local.operand(id, 0)].facts;
    axis_set const axes = axes_joined(n.attrs);
    all.push_back({n.op->message, axes, bytes_sent(n.op->message, x, plan.local.mesh->devices(axes))});
  }
  return all;
}

// The bytes of staging memory for messages. The collectives of the program's own steps follow each other and share one
// part; each region has one, since a message outside of a loop may be pending while the loop runs. Sums that follow
// steps have memory of their own.
class staging_sizes {
public:
  explicit staging_sizes(plan_view const& plan) : plan_(plan), bytes_(locations::staging_parts(plan), 0) {}

  int part_of(int step) const {
    for (int r = 0; r < plan_.region_count; ++r)
      if (step >= plan_.regions[r].first_step && step < plan_.regions[r].first_step + plan_.regions[r].step_count)
        return 2 + r;
    return 1;
  }
  static constexpr int sums = 0;
  std::int64_t operator[](int part) const { return bytes_[part]; }
  void add_sum(std::int64_t bytes) { bytes_[sums] += bytes; }
  void fit(int part, std::int64_t bytes) {
    auto& own = bytes_[part];
    own = std::max(own, bytes);
  }
  // The beginning of each part, from `first` on, and the end.
  std::vector<std::int64_t> places(std::int64_t first) const {
    std::vector<std::int64_t> at{first};
    for (std::int64_t bytes : bytes_) at.push_back(at.back() + bytes);
    return at;
  }

private:
  plan_view const& plan_;
  std::vector<std::int64_t> bytes_;
};

TESSERA_COLD inline void find_chains(plan_view const& plan, locations const& where, bound_plan& bound) {
  auto const step_at = [&](int i) -> bound_step& { return bound.steps[i]; };
  auto const product = [&](int i) -> product_work const* {
    auto const* const p = step_at(i).then ? nullptr : std::get_if<product_step>(&step_at(i).work);
    return p ? &p->work : nullptr;
  };
  auto const fused = [&](int i) -> fused_work const* {
    auto const* const f = std::get_if<fused_step>(&step_at(i).work);
    return f ? f->work() : nullptr;
  };
  std::int64_t const cache = this_machine().l2;
  auto const nothing = [&](int i) {
    if (std::holds_alternative<nothing_step>(step_at(i).work)) return true;
    auto const* const c = std::get_if<copy_step>(&step_at(i).work);
    return c && c->works.empty();
  };
  auto const add = [&](step_chain chain) {
    step_at(chain.first).chain = static_cast<int>(bound.chains.size());
    chain_memory(plan, where, cache).keep(chain, where.slots(), [&](auto const& f) {
      for (int i = chain.first; i < chain.first + chain.count; ++i) {
        if (auto* const s = std::get_if<fused_step>(&step_at(i).work)) f(*s->work());
        if (auto* const p = std::get_if<product_step>(&step_at(i).work)) f(p->work);
      }
    });
    bound.slots = std::max(bound.slots, where.slots() + static_cast<int>(chain.kept.size()));
    bound.chains.push_back(chain);
    std::string label;
    for (int i = chain.first; i < chain.first + chain.count; ++i) {
      label += (label.empty() ? "" : ", ") + step_at(i).label;
      if (auto* const s = std::get_if<fused_step>(&step_at(i).work))
        s->work()->streams = false;  // the next step reads it
    }
    bound.chained.push_back(std::move(label));
  };
  chain_finder finder(plan.local.input_count, plan.local.output_count, host_threads(), cache);
  // A chain ends where a message is started, which may send the chain's results.
  auto const find = [&](int first, int last) {
    for (int next = first + 1; first < last; ++next) {
      if (next < last && (!bound.sends || bound.starting[next].empty())) continue;
      finder.find(first, next, product, fused, nothing, add);
      first = next;
    }
  };
  find(0, plan.own_steps);
  for (int r = 0; r < plan.region_count; ++r) {
    plan_region const& region = plan.regions[r];
    find(region.first_step, region.first_step + region.step_count);
  }
}

// `arguments`: the strides of each argument, or null for own_strides. `kernels`: one per step, or null.
TESSERA_COLD inline bound_plan bind(plan_view const& plan, strides const* arguments, fused_kernel const* kernels,
                                    in_process const& comm) {
  bound_plan bound;
  locations const where(plan, arguments);
  bound.slots = where.slots();
  bound.arena_slot = where.arena();
  bound.own_steps = plan.own_steps;
  std::int64_t scratch = 0;
  message_times const times(plan, [&](int s) { return crosses_processes(plan, plan.steps[s]); });
  staging_sizes staging(plan);
  bound.steps.reserve(plan.step_count);
  for (int s = 0; s < plan.step_count; ++s) {
    step const& at = plan.steps[s];
    step_binding binding{plan, at, s, where, comm};
    if (kernels) binding.kernel = kernels[s];
    binding.done = exchanges_of(plan, at);
    binding.sends = crosses_processes(plan, at) && !binding.is_ragged();
    int const part = staging.part_of(s);
    bool const is_message = message_step::takes(binding);
    if (is_message) binding.staging = {where.staging(part), times.begins(s) < s};

    bound_step made;
    made.label = label_of(plan, at);
    made.work = known_steps::bind(binding);
    made.exchanges = std::move(binding.done);
    made.ahead = binding.staging.ahead;
    staging.fit(part, binding.staged);
    scratch = std::max(scratch, binding.scratch);
    if (made.ahead) {
      bound.starting.resize(plan.step_count);
      bound.starting[times.begins(s)].push_back(s);
    }
    if (binding.sends && !is_message) {
      message_binder sum(plan, at, where, where.staging(staging.sums), staging[staging.sums], true);
      made.then = sum.bind_sum_of(plan.lists[at.exchanges.first]);
      made.then_until = times.ends(s);
      staging.add_sum(made.then->staging_bytes);
      scratch = std::max(scratch, made.then->scratch_bytes);
    }
    bound.sends = bound.sends || binding.sends;
    bound.steps.push_back(std::move(made));
  }
  bound.staging = staging.places((plan.arena_bytes + 63) / 64 * 64);
  bound.scratch_offset = bound.staging.back();
  bound.starting.resize(bound.sends ? plan.step_count : 0);
  bound.arena_bytes = bound.scratch_offset + scratch;
  if (runs_on_host && !nan_watch::current()) find_chains(plan, where, bound);
  return bound;
}

}  // namespace detail

}  // namespace tessera
