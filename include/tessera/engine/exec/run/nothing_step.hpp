// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps of a plan that do nothing at run time: the ppermutes of relays (engine/exec/memory/relays.hpp).

#include <tessera/engine/exec/move/exchange_step.hpp>

#include <algorithm>

namespace tessera::detail {

struct nothing_step {
  static bool takes(step_binding const& b) {
    return exchange_step::takes(b) &&
           std::ranges::any_of(b.where.relays(), [&](relay const& r) { return r.step == b.index; });
  }
  TESSERA_COLD static nothing_step bind(step_binding& b) {
    auto const moved = exchange_step::prepared(b, 0);
    b.done.push_back({moved.kind, moved.axes, moved.bytes});
    return {};
  }
  void run(step_run const&) const {}
};

}  // namespace tessera::detail
