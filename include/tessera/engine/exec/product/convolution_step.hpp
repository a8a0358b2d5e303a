// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps of convolutions and of their gradients: by oneDNN, or by products.

#include <tessera/engine/exec/product/convolution_by_onednn.hpp>
#include <tessera/engine/exec/product/convolution_by_products.hpp>

namespace tessera::detail {

struct convolution_step {
  convolution_work work;
  convolution_by_onednn library;

  static bool takes(step_binding const& b) { return b.is(step_kind::convolution); }
  TESSERA_COLD static convolution_step bind(step_binding& b) {
    convolution_work work = convolution_of(b), parted = work;
    cut_in_parts(parted, true);
    convolution_by_onednn library(parted);
    if (library.possible()) return {parted, std::move(library)};
    cut_in_parts(work, false);
    return {work, convolution_by_onednn()};
  }
  void run(step_run const& r) const {
    if (library.possible())
      library.run(r.label, work, r.frame);
    else if (work.element == dtype::float32)
      convolution_by_products<float>::run(r.label, work, r.frame);
    else
      convolution_by_products<double>::run(r.label, work, r.frame);
  }
};

}  // namespace tessera::detail
