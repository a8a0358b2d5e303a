// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of executable: checks, binds and runs a plan.

#include <tessera/engine/exec/run/bind.hpp>
#include <tessera/engine/exec/run/bound_program.hpp>
#include <tessera/engine/exec/run/same_program.hpp>
#include <tessera/exec/run/executable.hpp>
#include <tessera/exec/run/op_kernels.hpp>

#include <cstring>
#include <vector>

namespace tessera {

TESSERA_ENGINE void detail::require_same_given(plan_view const& plan, std::vector<std::string> lines) {
  std::string const label = plan.step_count > 0 ? label_of(plan, plan.steps[plan.step_count - 1]) : "a program";
  for (auto& line : lines) line = label + ": " + line;
  require_same_lines(*plan.local.mesh, lines, "what is given to " + label);
}

TESSERA_ENGINE executable::executable(plan_view const& plan, fused_kernel const* kernels, in_process* comm)
    : bound_((detail::require_same_program(plan),
              std::make_shared<detail::bound_program>(plan, kernels, comm ? *comm : local_communicator()))) {}

TESSERA_ENGINE void executable::run(std::byte* const* arguments, strides const* argument_strides,
                                    std::byte* const* results) const {
  bound_->run(arguments, argument_strides, results);
}

TESSERA_ENGINE int executable::step_count() const { return bound_->plan().step_count; }
TESSERA_ENGINE std::string const& executable::label(int step) const { return bound_->bound().steps[step].label; }
TESSERA_ENGINE std::int64_t executable::arena_bytes() const { return bound_->bound().arena_bytes; }
TESSERA_ENGINE plan_view const& executable::plan() const { return bound_->plan(); }

}  // namespace tessera
