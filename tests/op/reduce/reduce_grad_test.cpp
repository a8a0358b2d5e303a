// SPDX-License-Identifier: Apache-2.0
// Gradients of reductions and of softmax and its kin, along whole and sharded dimensions.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct reductions {
  static constexpr auto rows = std::tuple{
      row{"sum", [](auto x) { return ts::sum(x); }, [](tensor const& x) { return oracle::sum(x); }},
      row{"prod", [](auto x) { return ts::prod(x); }, [](tensor const& x) { return oracle::prod(x); }},
      row{"max", [](auto x) { return ts::max(x); }, [](tensor const& x) { return oracle::max(x); }},
      row{"mean", [](auto x) { return ts::mean(x); }, [](tensor const& x) { return oracle::mean(x); }},
      row{"sum<0>", [](auto x) { return ts::sum<0>(x); }, [](tensor const& x) { return oracle::sum(x, {0}); }},
      row{"prod<0>", [](auto x) { return ts::prod<0>(x); }, [](tensor const& x) { return oracle::prod(x, {0}); }},
      row{"max<0>", [](auto x) { return ts::max<0>(x); }, [](tensor const& x) { return oracle::max(x, {0}); }},
      row{"min<0>", [](auto x) { return ts::min<0>(x); }, [](tensor const& x) { return oracle::min(x, {0}); }},
      row{"mean<0>", [](auto x) { return ts::mean<0>(x); }, [](tensor const& x) { return oracle::mean(x, {0}); }},
      row{"sum<1> keepdims", [](auto x) { return ts::sum<1>(x, ts::keepdims) * x; },
          [](tensor const& x) { return oracle::sum(x, {1}, true) * x; }},
      row{"min<1> keepdims", [](auto x) { return ts::min<1>(x, ts::keepdims) * x; },
          [](tensor const& x) { return oracle::min(x, {1}, true) * x; }},
      row{"mean<1> keepdims", [](auto x) { return ts::mean<1>(x, ts::keepdims) * x; },
          [](tensor const& x) { return oracle::mean(x, {1}, true) * x; }},
      row{"softmax<0>", [](auto x) { return ts::softmax<0>(x); },
          [](tensor const& x) { return oracle::softmax(x, 0); }},
      row{"log_softmax", [](auto x) { return ts::log_softmax(x); },
          [](tensor const& x) { return oracle::log_softmax(x); }},
      row{"logsumexp<0>", [](auto x) { return ts::logsumexp<0>(x); },
          [](tensor const& x) { return oracle::logsumexp(x, {0}); }},
      row{"layer_norm", [](auto x) { return ts::layer_norm(x); },
          [](tensor const& x) { return oracle::layer_norm(x); }}};
};

struct products {
  static constexpr auto rows = std::tuple{
      row{"prod<0>", [](auto x) { return ts::prod<0>(x); }, [](tensor const& x) { return oracle::prod(x, {0}); }},
      row{"prod<1>", [](auto x) { return ts::prod<1>(x); }, [](tensor const& x) { return oracle::prod(x, {1}); }},
      row{"prod", [](auto x) { return ts::prod(x * 0.5 + 0.5); },
          [](tensor const& x) { return oracle::prod(x * 0.5 + 0.5); }}};
};
TEST(reduce_grad, of_products_with_zeros) {
  dense<double, 4, 3> const x(tensor({4, 3}, {1.5, 0, 2, 0, 0, 3, 0.5, 0, -1, 2, 1.25, 1}));
  check_gradients<products, on<grid, P<dp>>>(x);
  check_gradients<products, nowhere, jitted>(x);
}

#ifndef TESSERA_BY_DAY
TEST(reduce_grad, over_layouts) {
  dense<double, 8, 4> const x(0.4, 1.6);
  check_gradients<reductions, on<grid, P<dp, mp>>>(x);
  check_gradients<reductions, on<grid, P<axes<mp, dp>>>>(x);
}
#endif

}  // namespace
