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
  std::vector<fused_work> works;  // one, or one for each box between seams: plan/fuse/pieces.hpp
  fused_launch launch;
  std::vector<device_fused_work> device;
  std::int64_t tiles = 0, bytes = 0;  // of all works

  // The step's only work, or null.
  fused_work const* work() const { return works.size() == 1 ? works.data() : nullptr; }
  fused_work* work() { return works.size() == 1 ? works.data() : nullptr; }

  static bool takes(step_binding const& b) { return b.is(step_kind::fused); }
  TESSERA_COLD static fused_step bind(step_binding& b) {
    fused_step made{{}, b.kernel.launch, {}};
    for (auto const& box : fused_binder::boxes_of(b.plan, b.at))
      made.works.push_back(fused_binder(b.plan, b.at, b.where, box).bind(b.kernel.strip, b.kernel.launch != nullptr));
    for (fused_work const& w : made.works) {
      made.device.push_back(upload(w));
      made.tiles += w.tiles;
      made.bytes += w.bytes;
    }
    return made;
  }
  void run(step_run const& r) const {
    if constexpr (runs_on_host) {
      launch_tiles(r.label, {&tile_of_boxes, this, r.frame}, tiles, bytes);
    } else {
      for (std::size_t i = 0; i < works.size(); ++i)
        if (works[i].tiles == 0)
          continue;
        else if (launch)
          launch_fused(r.label, launch, works[i], device[i], r.frame);
        else
          device_interpreter(r.label, works[i], device[i], r.frame).run();
    }
  }

private:
  static void tile_of_boxes(void const* step, std::byte* const* frame, std::int64_t tile) {
    fused_work const* w = static_cast<fused_step const*>(step)->works.data();
    for (; tile >= w->tiles; ++w) tile -= w->tiles;
    fused_tile(w, frame, tile);
  }
};

}  // namespace tessera::detail
