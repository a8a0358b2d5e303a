// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients through padding, masks and unpadding: what was added has none.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct paddings {
  static constexpr auto rows =
      std::tuple{row{"pad_to_multiple", [](auto x) { return ts::sin(ts::pad_to_multiple<0, dp>(x)); },
                     [](tensor const& x) {
                       return oracle::sin(oracle::pad(x, 0, {0, 0}, {2, 0}));
                     }},
                 row{"unpad", [](auto x) { return ts::unpad<0>(ts::sin(ts::pad_to_multiple<0, dp, mp>(x)), x); },
                     [](tensor const& x) { return oracle::sin(x); }},
                 row{"valid_mask",
                     [](auto x) {
                       auto const y = ts::exp(ts::reshard<P<dp>>(ts::pad_to_multiple<0, dp>(x)));
                       return ts::sum<0>(ts::where(ts::valid_mask<0>(y, 10), y, 0.0));
                     },
                     [](tensor const& x) { return oracle::sum(oracle::exp(x), {0}); }}};
};

TEST(padding, has_gradients) {
  dense<double, 10, 4> const x(-1, 1);
  check_gradients<paddings, on<grid, P<>>>(x);
  check_gradients<paddings, on<grid, P<none, mp>>>(x);
  check_gradients<paddings, on<grid, P<mp>>>(x);
}

}  // namespace
