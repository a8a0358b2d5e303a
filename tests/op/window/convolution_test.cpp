// SPDX-License-Identifier: Apache-2.0
// Convolutions, reductions over windows and pooling against the oracle, over layouts.

#include "support/op_case.hpp"
#include "support/oracle/windows.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

double sum_of(double a, double b) { return a + b; }
double most(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double least(double a, double b) { return std::isnan(a) || a < b ? a : b; }

struct convolutions {
  static constexpr auto rows = std::tuple{
      row{"same", [](auto x, auto k) { return ts::conv(x, k, ts::same); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{1, 1}, {1, 1}, {1, 1}});
          },
          1e-5},
      row{"valid", [](auto x, auto k) { return ts::conv(x, k); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{1, 1}, {0, 0}, {0, 0}});
          },
          1e-5},
      row{"strides and pads", [](auto x, auto k) { return ts::conv(x, k, ts::strided<2, 3>, ts::pads<1, 0, 2, 1>); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{2, 3}, {1, 2}, {0, 1}});
          },
          1e-5},
      row{"strided same", [](auto x, auto k) { return ts::conv(x, k, ts::same, ts::strided<2, 2>); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{2, 2}, {0, 0}, {1, 1}});
          },
          1e-5},
      row{"dilated", [](auto x, auto k) { return ts::conv(x, k, ts::dilated<2, 2>, ts::same); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{1, 1}, {2, 2}, {2, 2}, {2, 2}});
          },
          1e-5},
      row{"lhs_dilated", [](auto x, auto k) { return ts::conv(x, k, ts::lhs_dilated<2, 2>, ts::pads<1, 1, 1, 1>); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(oracle::pad(x, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 1}), k,
                                {{1, 1}, {1, 1}, {1, 1}});
          },
          1e-5},
      row{"nhwc",
          [](auto x, auto k) {
            return ts::conv(ts::transpose<0, 2, 3, 1>(x), ts::transpose<2, 3, 1, 0>(k), ts::nhwc, ts::same);
          },
          [](tensor const& x, tensor const& k) {
            return oracle::transpose(oracle::conv(x, k, {{1, 1}, {1, 1}, {1, 1}}), {0, 2, 3, 1});
          },
          1e-5}};
};
struct grouped {
  static constexpr auto rows =
      std::tuple{row{"groups", [](auto x, auto k) { return ts::conv(x, k, ts::same, ts::groups<2>); },
                     [](tensor const& x, tensor const& k) {
                       return oracle::conv(x, k, {{1, 1}, {1, 1}, {1, 1}, {}, 2});
                     },
                     1e-5}};
};
struct sharded {
  static constexpr auto rows = std::tuple{
      row{"out features", [](auto x, auto k) { return ts::conv(x, k, ts::same, ts::out_sharding<P<dp, mp>>); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{1, 1}, {1, 1}, {1, 1}});
          },
          1e-5},
      row{"gathered", [](auto x, auto k) { return ts::conv(x, k, ts::same, ts::out_sharding<P<>>); },
          [](tensor const& x, tensor const& k) {
            return oracle::conv(x, k, {{1, 1}, {1, 1}, {1, 1}});
          },
          1e-5}};
};
struct line {
  static constexpr auto rows = std::tuple{row{"one dimension", [](auto x, auto k) { return ts::conv(x, k, ts::same); },
                                              [](tensor const& x, tensor const& k) {
                                                return oracle::conv(x, k, {{1}, {1}, {1}});
                                              },
                                              1e-5}};
};
struct space {
  static constexpr auto rows =
      std::tuple{row{"three dimensions", [](auto x, auto k) { return ts::conv(x, k, ts::strided<1, 2, 1>); },
                     [](tensor const& x, tensor const& k) {
                       return oracle::conv(x, k, {{1, 2, 1}, {0, 0, 0}, {0, 0, 0}});
                     },
                     1e-5}};
};
struct tiled {
  static constexpr auto rows =
      std::tuple{row{"strides", [](auto x, auto k) { return ts::conv(x, k, ts::strided<2, 1>, ts::same); },
                     [](tensor const& x, tensor const& k) {
                       return oracle::conv(x, k, {{2, 1}, {0, 1}, {1, 1}});
                     },
                     1e-5}};
};
struct windows {
  static constexpr auto rows =
      std::tuple{row{"sum", [](auto x) { return ts::reduce_window_sum(x, ts::window<2, 1>, ts::strided<2, 1>); },
                     [](tensor const& x) {
                       return oracle::over_window(x, {2, 1}, {{2, 1}, {0, 0}, {0, 0}}, 0, sum_of);
                     },
                     1e-5},
                 row{"max", [](auto x) { return ts::reduce_window_max(x, ts::window<3, 3>, ts::same); },
                     [](tensor const& x) {
                       return oracle::over_window(x, {3, 3}, {{1, 1}, {1, 1}, {1, 1}}, -INFINITY, most);
                     }},
                 row{"min", [](auto x) { return ts::reduce_window_min(x, ts::window<1, 3>, ts::pads<0, 0, 1, 1>); },
                     [](tensor const& x) {
                       return oracle::over_window(x, {1, 3}, {{1, 1}, {0, 1}, {0, 1}}, INFINITY, least);
                     }},
                 row{"valid", [](auto x) { return ts::reduce_window_max(x, ts::window<1, 1>, ts::valid); },
                     [](tensor const& x) { return x; }}};
};
struct pools {
  static constexpr auto rows = std::tuple{
      row{"max_pool", [](auto x) { return ts::max_pool(x, ts::window<2, 2>, ts::strided<2, 2>); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 2, 2, 1}, {{1, 2, 2, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, -INFINITY, most);
          }},
      row{"avg_pool", [](auto x) { return ts::avg_pool(x, ts::window<3, 3>, ts::strided<2, 2>, ts::same); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 3, 3, 1}, {{1, 2, 2, 1}, {0, 0, 0, 0}, {0, 1, 1, 0}}, 0, sum_of) / 9;
          },
          1e-5},
      row{"features_last", [](auto x) { return ts::avg_pool(x, ts::window<2, 2>, ts::strided<2, 2>, ts::nhwc); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 2, 2, 1}, {{1, 2, 2, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, 0, sum_of) / 4;
          },
          1e-5}};
};

struct pools_of_second_features {
  static constexpr auto rows = std::tuple{
      row{"features_second",
          [](auto x) { return ts::max_pool(x, ts::window<2, 2>, ts::strided<2, 2>, ts::valid, ts::nchw); },
          [](tensor const& x) {
            return oracle::over_window(x, {1, 1, 2, 2}, {{1, 1, 2, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}}, -INFINITY, most);
          }}};
};

TEST(conv, over_layouts) {
  dense<float, 4, 4, 8, 6> const x(-1, 1);
  dense<float, 4, 4, 3, 3> const k(-1, 1, 3);
  check<convolutions, on<grid, P<dp>, P<>>, jitted>(x, k);
  check<convolutions, nowhere, interpreted>(x, k);
  check<sharded, on<grid, P<dp, mp>, P<>>, jitted>(x, k);
  check<sharded, on<grid, P<none, none, mp>, P<mp, dp>>, interpreted>(x, k);
  check<line, on<grid, P<mp, none, dp>, P<>>, interpreted>(dense<float, 2, 3, 8>(-1, 1), dense<float, 4, 3, 3>(-1, 1));
  check<space, on<grid, P<mp>, P<>>, interpreted>(dense<float, 2, 3, 4, 5, 6>(-1, 1),
                                                  dense<float, 4, 3, 2, 3, 2>(-1, 1));
  check<grouped, on<grid, P<dp>, P<>>, jitted>(x, dense<float, 4, 2, 3, 3>(-1, 1, 3));
  check<grouped, on<cube, P<axes<b, a>>, P<>>, interpreted>(dense<double, 4, 4, 8, 6>(-1, 1),
                                                            dense<double, 4, 2, 3, 3>(-1, 1));
}

// Of more places than one tile takes.
TEST(conv, in_tiles) {
  check<tiled, on<grid, P<dp>, P<>>, jitted>(dense<float, 4, 64, 50, 24>(-1, 1), dense<float, 4, 64, 3, 3>(-1, 1, 3));
}

#ifndef TESSERA_BY_DAY
struct convolved {
  constexpr auto operator()(auto x, auto k) const { return ts::conv(x, k, ts::same); }
};
TEST(conv, keeps_no_windows) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp>>(ts::host<4, 4, 8, 6>(std::vector<float>(4 * 4 * 8 * 6, 1)), mesh);
  auto const k = ts::device_put<P<>>(ts::host<4, 4, 3, 3>(std::vector<float>(4 * 4 * 3 * 3, 1)), mesh);
  auto const before = ts::launches_so_far();
  auto const y = ts::jit<convolved>(x, k);
  EXPECT_LE(ts::launches_so_far().steps() - before.steps(), 2);  // the product, and its result in the shape asked for
  EXPECT_EQ(y.to_host()[9], 36);
}

TEST(reduce_window, over_layouts) {
  dense<float, 8, 8> const x(-1, 1);
  check<windows, on<grid, P<dp, mp>>, jitted>(x);
  check<windows, nowhere, interpreted>(x);
  check<windows, on<grid, P<none, axes<mp, dp>>>, interpreted>(x);
  dense<float, 4, 8, 8, 2> const images(-1, 1);
  check<pools, on<grid, P<dp, mp>>, jitted>(images);
  check<pools, on<cube, P<a, none, none, b>>, interpreted>(images);
  check<pools_of_second_features, on<grid, P<dp, mp>>, jitted>(images);
  check<pools_of_second_features, nowhere, interpreted>(images);
}
#endif

}  // namespace
