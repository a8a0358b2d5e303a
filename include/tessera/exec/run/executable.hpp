// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that is ready to be called. It is bound once; each call then walks a table, with one launch per step and no
// allocation. engine/exec/run/executable.hpp has the definitions: inline, or compiled once for all files in
// tessera::engine.

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
// Compares the `lines`, which describe what a program is given at its first call, in all processes of its mesh. Throws
// in all of them if they differ.
void require_same_given(plan_view const& plan, std::vector<std::string> lines);
}  // namespace detail

class executable {
public:
  // `plan` and what it points to must outlive this. `kernels` is kernels_of<Plan>(), or null: fused steps are then
  // interpreted (host only). Collectives go through `comm`, or local_communicator() if it is null, and are counted
  // there.
  explicit executable(plan_view const& plan, fused_kernel const* kernels = nullptr, in_process* comm = nullptr);

  // `arguments` and `results` are base addresses. The layout of arguments is `argument_strides`, or own_strides if that
  // is null; that of results is own_strides of the result's node. On a host space it returns when all work is done,
  // else after the launches. Any thread may call it, also at the same time: launches on one execution space take turns,
  // steps without a launch need not.
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
