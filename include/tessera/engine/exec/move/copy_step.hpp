// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step of strided copies and reductions: assembles a result from parts of other values, or runs a chain of moves.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/bind_copy.hpp>
#include <tessera/engine/exec/move/bind_moves.hpp>

#include <vector>

namespace tessera::detail {

struct copy_step {
  std::vector<transfer_work> works;

  static bool takes(step_binding const& b) { return b.is(step_kind::reduce) || b.is(step_kind::copy); }
  TESSERA_COLD static copy_step bind(step_binding& b) {
    copy_step made{b.is_collective() ? move_binder(b.plan, b.at, b.where).bind()
                                     : copy_binder(b.plan, b.at, b.where).bind()};
    for (auto const& w : made.works) b.need_scratch(w.scratch_bytes);
    return made;
  }
  void run(step_run const& r) const { run_transfers(r.label, {works.data(), static_cast<int>(works.size())}, r.frame); }
};

}  // namespace tessera::detail
