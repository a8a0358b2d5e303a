// SPDX-License-Identifier: Apache-2.0
#pragma once
// The listeners of log_plans, and what they are told.

#include <tessera/api/loaded_program.hpp>
#include <tessera/api/log_plans.hpp>
#include <tessera/aval/describe.hpp>
#include <tessera/base/settings.hpp>
#include <tessera/engine/api/sized_programs.hpp>
#include <tessera/plan/explain/text_table.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tessera {
namespace detail {

struct say_plan final : plan_listener {
  void hear(plan_record const& made) override { std::clog << made.text() + '\n'; }
};

class plan_log {
public:
  static plan_log& of_all() {
    static plan_log log;
    return log;
  }
  bool any() const { return count_.load(std::memory_order_relaxed) > 0; }
  int add(std::shared_ptr<plan_listener> told) {
    std::lock_guard const lock(guard_);
    listening_.emplace(++last_, std::move(told));
    ++count_;
    return last_;
  }
  void remove(int number) {
    std::lock_guard const lock(guard_);
    listening_.erase(number);
    --count_;
  }
  // A listener may make programs and listeners of its own.
  void tell(plan_record const& made) {
    std::vector<std::shared_ptr<plan_listener>> told;
    {
      std::lock_guard const lock(guard_);
      for (auto const& [number, one] : listening_) told.push_back(one);
    }
    for (auto const& one : told) one->hear(made);
  }

private:
  plan_log() {
    if (log_plans_setting(if_wrong::ignores)) add(std::make_shared<say_plan>());
  }

  std::mutex guard_;
  std::map<int, std::shared_ptr<plan_listener>> listening_;  // in the order in which they began
  int last_ = 0;
  std::atomic<int> count_{0};
};

// What is told of a plan, from before it is made until it is kept.
class told_plan {
public:
  told_plan(sized_programs& programs, mesh_value const& mesh, std::vector<stored_array> const& arguments)
      : on_(plan_log::of_all().any()) {
    if (on_) see(programs, mesh, arguments);
  }
  // `known`: the kernels that were compiled for the program. None: it has no kernels of its own.
  void tell(run_time_program const& made, std::span<compiled_plan const> known, std::size_t kept) {
    if (on_) finish(made.planned.view(), made.kernels, !known.empty(), static_cast<int>(kept));
  }

private:
  using clock = std::chrono::steady_clock;

  TESSERA_COLD void see(sized_programs& programs, mesh_value const& mesh, std::vector<stored_array> const& arguments) {
    for (stored_array const& x : arguments)
      made_.arguments +=
          (made_.arguments.empty() ? "" : ", ") + (x.memory || x.facts.rank > 0 ? describe(x.facts, mesh) : "a number");
    made_.why = programs.difference(mesh, arguments);
    began_ = clock::now();
  }
  TESSERA_COLD void finish(plan_view const& plan, std::span<fused_kernel const> kernels, bool compiled, int kept) {
    made_.seconds = std::chrono::duration<double>(clock::now() - began_).count();
    made_.steps = plan.step_count;
    made_.messages = plan.message_count;
    made_.kept = kept;
    for (int s = 0; compiled && s < plan.step_count; ++s) {
      fused_kernel const& k = kernels[s];
      made_.interpreted += plan.steps[s].kind == step_kind::fused && !k.strip && !k.launch;
    }
    if (plan.local.output_count > 0) {
      node const& first = plan.local[plan.local.outputs[0]];
      made_.program = std::string(first.op->name) + " at " + line_text<std::string>(first.at);
    }
    plan_log::of_all().tell(made_);
  }

  bool on_;
  plan_record made_;
  clock::time_point began_;
};

}  // namespace detail

TESSERA_ENGINE std::string plan_record::text() const {
  auto const counted = [](int n, char const* of) { return std::to_string(n) + ' ' + of + (n == 1 ? "" : "s"); };
  char milliseconds[32];
  std::snprintf(milliseconds, sizeof milliseconds, "%.3g", seconds * 1e3);
  std::string line = "tessera: planned the program of " + (program.empty() ? "no result" : program) + " in " +
                     milliseconds + " ms for (" + arguments + "): " + why + ". " + counted(steps, "step") + ", " +
                     counted(messages, "message");
  if (interpreted > 0) line += ", " + counted(interpreted, "fused step") + " without a compiled kernel";
  return line + "; " + counted(kept, "plan") + " of it " + (kept == 1 ? "is" : "are") + " kept.";
}

TESSERA_ENGINE log_plans::log_plans() : log_plans(new detail::say_plan) {}
TESSERA_ENGINE log_plans::log_plans(detail::plan_listener* owned)
    : number_(detail::plan_log::of_all().add(std::shared_ptr<detail::plan_listener>(owned))) {}
TESSERA_ENGINE log_plans::~log_plans() { detail::plan_log::of_all().remove(number_); }

}  // namespace tessera
