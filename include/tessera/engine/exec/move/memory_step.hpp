// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step that copies a value from or to host memory, where a device has memory of its own: the transfers of a copy. Kernels
// do not read host memory, so each run of elements that is one in both memories is sent by itself. On a host both memories
// are one, and copy_step copies.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/move/bind_copy.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <cstring>
#include <vector>

namespace tessera::detail {

struct memory_step {
  std::vector<transfer_work> works;
  memory_kind from = memory_kind::device, to = memory_kind::device;

  static bool takes(step_binding const& b) {
    if (runs_on_host || !b.is(step_kind::copy) || b.at.exchanges.count > 0) return false;
    if (b.its_node().op->kind != op_class::identity) return false;
    return b.its_node().facts.memory == memory_kind::host || read_by(b).memory == memory_kind::host;
  }
  TESSERA_COLD static memory_step bind(step_binding& b) {
    return {copy_binder(b.plan, b.at, b.where).bind(), read_by(b).memory, b.its_node().facts.memory};
  }

  void run(step_run const& r) const {
    if (from == memory_kind::device) fence();
    for (transfer_work const& w : works)
      for (std::int64_t o = 0; o < w.outer; ++o) {
        cursor const at = locate(w.what.kept, o);
        for (std::int64_t row = 0; row < w.inner.rows; ++row)
          send_row(w, r.frame, w.what.in_offset + at.in + row * w.inner.row_in,
                   w.what.out_offset + at.out + row * w.inner.row_out);
      }
  }

private:
  static array_value const& read_by(step_binding const& b) {
    return b.plan.local[b.plan.local.operand(b.at.node, 0)].facts;
  }
  void send_row(transfer_work const& w, std::byte* const* frame, std::int64_t in, std::int64_t out) const {
    std::int64_t const size = bytes_of(w.what.element);
    bool const one_run = w.inner.column_in == 1 && w.inner.column_out == 1;
    std::int64_t const run = one_run ? w.inner.columns : 1;
    for (std::int64_t c = 0; c < w.inner.columns; c += run)
      send(frame[w.what.out_slot] + (out + c * w.inner.column_out) * size,
           frame[w.what.in_slot] + (in + c * w.inner.column_in) * size, run * size);
  }
  void send(std::byte* out, std::byte const* in, std::int64_t bytes) const {
    if (from == to)
      std::memcpy(out, in, bytes);
    else
      copy_bytes(out, in, bytes, to == memory_kind::device);
  }
};

}  // namespace tessera::detail
