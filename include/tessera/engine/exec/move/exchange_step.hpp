// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step that is a collective between devices of one process, or several of one kind over the same axes.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/bind_exchange.hpp>
#include <tessera/engine/exec/move/in_process.hpp>

namespace tessera::detail {

struct exchange_step {
  in_process::prepared ready;

  static bool takes(step_binding const& b) { return b.is(step_kind::collective) && !b.is_ragged(); }
  TESSERA_COLD static exchange_step bind(step_binding& b) {
    exchange_step made{prepared(b, 0)};
    for (int k = 1; k < b.at.outputs.count; ++k) b.comm.join(made.ready, prepared(b, k));
    b.need_scratch(made.ready.scratch_bytes);
    return made;
  }
  void run(step_run const& r) const { r.comm.run(ready, r.label, r.frame); }

  TESSERA_COLD static in_process::prepared prepared(step_binding const& b, int which) {
    auto const one = bind_exchange(b.plan, b.at, b.where, which);
    return b.comm.prepare(one.what, one.out_slot, one.in_slot, b.where.scratch());
  }
};

}  // namespace tessera::detail
