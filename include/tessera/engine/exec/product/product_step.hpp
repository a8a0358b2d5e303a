// SPDX-License-Identifier: Apache-2.0
#pragma once
// Product steps.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/product/bind_product.hpp>
#include <tessera/engine/exec/product/gemm_device.hpp>
#include <tessera/engine/exec/product/lapack.hpp>

namespace tessera::detail {

struct product_step {
  product_work work;

  static bool takes(step_binding const& b) { return b.is(step_kind::dot); }
  TESSERA_COLD static product_step bind(step_binding& b) {
    product_step made{ready(bind_product(b.plan, b.at, b.where))};
    made.work.what.scratch_slot = b.where.scratch();
    b.need_scratch(pointer_bytes(made.work));
    return made;
  }
  void run(step_run const& r) const { run_product(r.label, work, r.frame); }
};

}  // namespace tessera::detail
