// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step that runs an operation's own kernel.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/run/bind_opaque.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/exec/run/opaque_device.hpp>

namespace tessera::detail {

struct opaque_step {
  opaque_work work;
  tile_function tile;
  opaque_launch launch;

  static bool takes(step_binding const& b) { return b.is(step_kind::opaque); }
  TESSERA_COLD static opaque_step bind(step_binding& b) {
    return {opaque_binder(b.plan, b.at, b.where).bind(), b.kernel.tile ? b.kernel.tile : b.its_node().op->tile,
            b.kernel.opaque};
  }
  void run(step_run const& r) const {
    if constexpr (runs_on_host)
      launch_tiles(r.label, {tile, &work, r.frame}, work.tiles, work.bytes);
    else if (launch)
      launch(r.label, work, r.frame);
    else
      run_from_host(r.label, work, tile, r.frame);
  }
};

}  // namespace tessera::detail
