// SPDX-License-Identifier: Apache-2.0
// Gradients of convolutions, reductions over windows and pooling against central differences.

#include "support/grad_case.hpp"
#include "support/oracle/windows.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

double sum_of(double a, double b) { return a + b; }

struct convolutions {
  static constexpr auto rows = std::tuple{
      row{"conv", [](auto x, auto k) { return ts::conv(x, k, ts::same, ts::strided<2, 1>, ts::out_sharding<P<dp>>); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{2, 1}, {1, 1}, {1, 1}});
          }},
      row{"groups",
          [](auto x, auto k) {
            return ts::conv(x, ts::slice_in_dim<1, 0, 1>(k), ts::groups<2>, ts::dilated<2, 1>, ts::out_sharding<P<dp>>);
          },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, oracle::slice(k, {0, 0, 0, 0}, {4, 1, 3, 3}, {1, 1, 1, 1}),
                                {{1, 1}, {0, 0}, {0, 0}, {2, 1}, 2});
          }}};
};
struct pools {
  static constexpr auto rows = std::tuple{
      row{"max_pool", [](auto x) { return ts::max_pool(x, ts::window<2, 2>, ts::strided<2, 2>); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 2, 2, 1}, {{1, 2, 2, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, -INFINITY,
                                       [](double a, double b) { return std::fmax(a, b); });
          }},
      row{"avg_pool", [](auto x) { return ts::avg_pool(x, ts::window<3, 3>, ts::strided<2, 2>, ts::same); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 3, 3, 1}, {{1, 2, 2, 1}, {0, 0, 0, 0}, {0, 1, 1, 0}}, 0, sum_of) / 9;
          }},
      row{"reduce_window_sum", [](auto x) { return ts::reduce_window_sum(x, ts::window<1, 2, 2, 1>); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 2, 2, 1}, {{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, 0, sum_of);
          }},
      row{"reduce_window_max", [](auto x) { return ts::reduce_window_max(x, ts::window<1, 2, 1, 1>); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 2, 1, 1}, {{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, -INFINITY,
                                       [](double a, double b) { return std::fmax(a, b); });
          }},
      row{"reduce_window_min", [](auto x) { return ts::reduce_window_min(x, ts::window<1, 1, 2, 1>); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 1, 2, 1}, {{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, INFINITY,
                                       [](double a, double b) { return std::fmin(a, b); });
          }}};
};

TEST(conv_grad, over_layouts) {
  dense<double, 4, 2, 5, 4> const x(-1, 1);
  dense<double, 4, 2, 3, 3> const k(-1, 1, 3);
  check_gradients<convolutions, on<grid, P<dp>, P<>>>(x, k);
  check_gradients<convolutions, on<grid, P<dp, mp>, P<>>>(x, k);
  check_gradients<convolutions, on<grid, P<none, none, none, dp>, P<mp>>>(x, k);
}

#ifndef TESSERA_BY_DAY
TEST(pool_grad, over_layouts) {
  dense<double, 4, 4, 4, 2> const x(-1, 1);
  check_gradients<pools, on<grid, P<dp>>>(x);
  check_gradients<pools, on<grid, P<none, none, none, mp>>>(x);
  check_gradients<pools, on<cube, P<axes<c, a>>>>(x);
}
#endif

}  // namespace
