// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of roll, repeat, unstack, split_at and atleast_1d, over layouts.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct rearrangements {
  static constexpr auto rows = std::tuple{
      row{"roll by a row", [](auto x) { return ts::roll<1, 0>(x) * x; },
          [](tensor const& x) {
            return oracle::concatenate({oracle::slice(x, {7, 0}, {8, 4}), oracle::slice(x, {0, 0}, {7, 4})}, 0) * x;
          }},
      row{"roll", [](auto x) { return ts::roll<4, 0>(x) * x; },
          [](tensor const& x) {
            return oracle::concatenate({oracle::slice(x, {4, 0}, {8, 4}), oracle::slice(x, {0, 0}, {4, 4})}, 0) * x;
          }},
      row{"repeat", [](auto x) { return ts::repeat<2, 0>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) {
            return oracle::reshape(oracle::stack({x, x}, 1), {16, 4});
          }},
      row{"split_at", [](auto x) { return std::get<0>(ts::split_at<0, 4>(x)); },
          [](tensor const& x) {
            return oracle::slice(x, {0, 0}, {4, 4});
          }},
      row{"atleast", [](auto x) { return ts::atleast_3d(x) * ts::atleast_1d(ts::sum(x)) * ts::atleast_2d(ts::sum(x)); },
          [](tensor const& x) { return oracle::expand_dims(x, 2) * oracle::sum(x).item() * oracle::sum(x).item(); }}};
};

struct unstacked {
  static constexpr bool sized = true;  // how many results there are is part of the result's type
  static constexpr auto rows = std::tuple{row{"unstack", [](auto x) { return ts::unstack<0>(ts::reshard<P<>>(x))[3]; },
                                              [](tensor const& x) {
                                                return oracle::squeeze(oracle::slice(x, {3, 0}, {4, 4}), 0);
                                              }}};
};

TEST(rearrange, has_gradients) {
  dense<double, 8, 4> const x(-1, 1);
  check_gradients<rearrangements, on<grid, P<dp, mp>>>(x);
  check_gradients<rearrangements, on<grid, P<none, dp>>>(x);
  check_gradients<rearrangements, on<grid, P<>>>(x);
  check_gradients<unstacked, on<grid, P<dp, mp>>>(x);
  check_gradients<unstacked, on<grid, P<none, dp>>>(x);
  check_gradients<unstacked, on<grid, P<>>>(x);
}

}  // namespace
