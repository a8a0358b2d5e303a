// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of ops that move values, over layouts.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct movements {
  static constexpr auto rows = std::tuple{
      row{"transpose", [](auto x) { return x.T(); }, [](tensor const& x) { return oracle::transpose(x); }},
      row{"swapaxes", [](auto x) { return ts::swapaxes<0, 1>(x) * 2.0; },
          [](tensor const& x) { return oracle::transpose(x) * 2; }},
      row{"moveaxis", [](auto x) { return ts::moveaxis<0, 2>(ts::expand_dims<1>(x)); },
          [](tensor const& x) {
            return oracle::transpose(oracle::expand_dims(x, 1), {1, 2, 0});
          }},
      row{"squeeze", [](auto x) { return ts::squeeze<0>(ts::expand_dims<0, 2>(x)); },
          [](tensor const& x) { return oracle::expand_dims(x, 1); }},
      row{"broadcast_to", [](auto x) { return ts::broadcast_to<3, 8, 4>(x); },
          [](tensor const& x) {
            return oracle::broadcast_to(x, {3, 8, 4});
          }},
      row{"broadcast_in_dim", [](auto x) { return ts::broadcast_in_dim<ts::shape<8, 3, 4>, 0, 2>(x); },
          [](tensor const& x) {
            return oracle::transpose(oracle::broadcast_to(x, {3, 8, 4}), {1, 0, 2});
          }},
      row{"tile", [](auto x) { return ts::tile<2, 1, 1>(x); },
          [](tensor const& x) {
            return oracle::broadcast_to(x, {2, 8, 4});
          }},
      row{"reshape", [](auto x) { return ts::reshape<16, 2>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {16, 2});
          }},
      row{"ravel", [](auto x) { return ts::ravel(x, ts::out_sharding<P<mp>>); },
          [](tensor const& x) { return oracle::reshape(x, {-1}); }},
      row{"optimization_barrier", [](auto x) { return ts::optimization_barrier(x * x, x); },
          [](tensor const& x) { return x * x; }},
      row{"reshard", [](auto x) { return ts::reshard<P<mp, dp>>(x * x); }, [](tensor const& x) { return x * x; }},
      row{"astype", [](auto x) { return ts::astype<double>(x); }, [](tensor const& x) { return x; }},
      row{"full_like", [](auto x) { return ts::full_like(x, ts::sum(x) * 0.1); },
          [](tensor const& x) {
            return oracle::broadcast_to(oracle::sum(x) * 0.1, {8, 4});
          }},
      row{"full", [](auto x) { return ts::full<3>(ts::mean(x)); },
          [](tensor const& x) { return oracle::broadcast_to(oracle::mean(x), {3}); }}};
};
struct slices {
  static constexpr auto rows =
      std::tuple{row{"slice", [](auto x) { return ts::slice(x, ts::starts<0, 0>, ts::limits<8, 4>, ts::steps<2, 1>); },
                     [](tensor const& x) {
                       return oracle::slice(x, {0, 0}, {8, 4}, {2, 1});
                     }},
                 row{"slice_in_dim", [](auto x) { return ts::slice_in_dim<1, 2, 4>(x); },
                     [](tensor const& x) {
                       return oracle::slice(x, {0, 2}, {8, 4});
                     }},
                 row{"flip", [](auto x) { return ts::flip(x); },
                     [](tensor const& x) {
                       return oracle::flip(x, {0, 1});
                     }},
                 row{"split", [](auto x) { return ts::split<2>(x)[0] * ts::split<2>(x)[1]; },
                     [](tensor const& x) {
                       return oracle::slice(x, {0, 0}, {4, 4}) * oracle::slice(x, {4, 0}, {8, 4});
                     }},
                 row{"pad", [](auto x) { return ts::pad(x, ts::mean(x), ts::low<4>, ts::high<4>); },
                     [](tensor const& x) {
                       return oracle::pad(x, oracle::mean(x).item(), {4, 0}, {4, 0});
                     }},
                 row{"pad interior",
                     [](auto x) { return ts::pad(x, ts::mean(x), ts::low<1, 0>, ts::high<0, 0>, ts::interior<1>); },
                     [](tensor const& x) {
                       return oracle::pad(x, oracle::mean(x).item(), {1, 0}, {0, 0}, {1, 0});
                     }},
                 row{"pad cut", [](auto x) { return ts::pad(x, ts::mean(x), ts::low<-3, 2>, ts::high<-1, 2>); },
                     [](tensor const& x) {
                       return oracle::pad(x, oracle::mean(x).item(), {-3, 2}, {-1, 2});
                     }},
                 row{"update_slice",
                     [](auto x) { return ts::update_slice(x, ts::slice_in_dim<0, 4, 8>(x * x), ts::starts<0, 0>); },
                     [](tensor const& x) {
                       return oracle::update_slice(x, oracle::slice(x * x, {4, 0}, {8, 4}), {0, 0});
                     }},
                 row{"concatenate", [](auto x) { return ts::concatenate<1>(x, x * x); },
                     [](tensor const& x) {
                       return oracle::concatenate({x, x * x}, 1);
                     }},
                 row{"stack", [](auto x) { return ts::stack<1>(x, x * x, x); },
                     [](tensor const& x) {
                       return oracle::stack({x, x * x, x}, 1);
                     }}};
};

// Of the layout that is there already.
struct constrained {
  static constexpr auto rows =
      std::tuple{row{"with_sharding_constraint", [](auto x) { return ts::with_sharding_constraint<P<dp, mp>>(x * x); },
                     [](tensor const& x) { return x * x; }}};
};

TEST(movement_grad, movements) {
  dense<double, 8, 4> const x(0.4, 1.6);
  check_gradients<movements, on<grid, P<dp, mp>>>(x);
  check_gradients<constrained, on<grid, P<dp, mp>>>(x);
}

TEST(movement_grad, slices) {
  dense<double, 8, 4> const x(0.4, 1.6);
  check_gradients<slices, on<grid, P<dp, mp>>>(x);
  check_gradients<slices, on<cube, P<c, b>>>(x);
}

}  // namespace
