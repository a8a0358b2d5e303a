// SPDX-License-Identifier: Apache-2.0
#pragma once
// A fused group as a step, which is interpreted or run by its compiled program.

#include <tessera/engine/exec/fused/fused_binder.hpp>
#include <tessera/engine/exec/fused/interpret_on_device.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>

namespace tessera::detail {

struct fused_step {
  fused_work work;
  fused_launch launch;
  device_fused_work device;

  static bool takes(step_binding const& b) { return b.is(step_kind::fused); }
  TESSERA_COLD static fused_step bind(step_binding& b) {
    fused_step made{
        fused_binder(b.plan, b.at, b.where).bind(b.kernel.strip, b.kernel.launch != nullptr), b.kernel.launch, {}};
    made.device = upload(made.work);
    return made;
  }
  void run(step_run const& r) const {
    if constexpr (runs_on_host)
      launch_tiles(r.label, {&fused_tile, &work, r.frame}, work.tiles, work.bytes);
    else if (work.tiles == 0)
      return;
    else if (launch)
      launch_fused(r.label, launch, work, device, r.frame);
    else
      device_interpreter(r.label, work, device, r.frame).run();
  }
};

}  // namespace tessera::detail
