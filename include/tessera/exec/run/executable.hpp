// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program ready to be called: bound once, then each call walks a table, one launch a step, nothing allocated.
// engine/exec/run/executable.hpp defines what this declares: inline, or compiled once for all files in tessera::engine.

#include <tessera/exec/device/configuration.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/plan/base/strides.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera {

class in_process;  // engine/exec/move/in_process.hpp

namespace detail {
class bound_program;
}

namespace detail {
// What a program is given when it is called for the first time, in lines: throws in all processes of its mesh where they differ.
void require_same_given(plan_view const& plan, std::vector<std::string> lines);
}  // namespace detail

class executable {
public:
  // `plan` and what it points to must outlive this. `kernels`: kernels_of<Plan>() or null, then fused steps are
  // interpreted (host only). Collectives go through `comm`, or null for local_communicator(), and are counted there.
  explicit executable(plan_view const& plan, fused_kernel const* kernels = nullptr, in_process* comm = nullptr);

  // Base addresses of the storages. Arguments lie by `argument_strides`, or as own_strides says when that is null;
  // results always as own_strides of the result's node. Host spaces: returns when all is done; else only launches.
  // Any thread may call, several at once, too: launches on one execution space take turns, steps without one need not.
  void run(std::byte* const* arguments, strides const* argument_strides, std::byte* const* results) const;

  int step_count() const;
  std::string const& label(int step) const;
  // Bytes of temporaries that one call takes from the pool.
  std::int64_t arena_bytes() const;
  plan_view const& plan() const;

private:
  std::shared_ptr<detail::bound_program> bound_;
};

}  // namespace tessera
