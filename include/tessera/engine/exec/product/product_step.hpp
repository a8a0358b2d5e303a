// SPDX-License-Identifier: Apache-2.0
#pragma once
// Product steps: of two operands, or of one operand and windows that the step itself cuts out of an array.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/engine/exec/product/bind_product.hpp>
#include <tessera/engine/exec/product/gemm_device.hpp>
#include <tessera/engine/exec/product/lapack.hpp>
#include <tessera/engine/exec/product/windowed_dot.hpp>

namespace tessera::detail {

struct windowed_step {
  windowed_product work;

  static bool takes(step_binding const& b) {
    return b.is(step_kind::dot) && bind_windowed(b.plan, b.at, b.where).has_value();
  }
  TESSERA_COLD static windowed_step bind(step_binding& b) { return {bind_windowed(b.plan, b.at, b.where)->work}; }
  void run(step_run const& r) const { run_windowed(r.label, work, r.frame); }
};

// The nodes whose windows the products cut themselves. Nothing else reads these nodes, so they are not computed.
TESSERA_COLD inline std::vector<int> windows_cut_by_products(plan_view const& plan, locations const& where) {
  std::vector<int> nodes;
  for (int s = 0; s < plan.step_count; ++s)
    if (plan.steps[s].kind == step_kind::dot)
      if (auto const windowed = bind_windowed(plan, plan.steps[s], where)) nodes.push_back(windowed->windows);
  return nodes;
}

struct product_step {
  product_work work;

  static bool takes(step_binding const& b) { return b.is(step_kind::dot); }
  TESSERA_COLD static product_step bind(step_binding& b) {
    product_step made{prepare(bind_product(b.plan, b.at, b.where))};
    made.work.what.scratch_slot = b.where.scratch();
    b.need_scratch(pointer_bytes(made.work));
    return made;
  }
  void run(step_run const& r) const { run_product(r.label, work, r.frame); }
};

}  // namespace tessera::detail
