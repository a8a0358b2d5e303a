// SPDX-License-Identifier: Apache-2.0
// Ops called on arrays outside of jit: each is a program of its own. One or two ops of every family; the families' own
// tests run all of them inside jit.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct unary_and_binary {
  static constexpr auto rows = std::tuple{
      row{"exp", [](auto x, auto) { return ts::exp(x); },
          [](tensor const& x, tensor const&) { return oracle::exp(x); }},
      row{"-x", [](auto x, auto) { return -x; }, [](tensor const& x, tensor const&) { return oracle::negative(x); }},
      row{"relu", [](auto x, auto) { return ts::relu(x); },
          [](tensor const& x, tensor const&) { return oracle::relu(x); }},
      row{"x + y", [](auto x, auto y) { return x + y; }, [](tensor const& x, tensor const& y) { return x + y; }},
      row{"2 - x", [](auto x, auto) { return 2.0 - x; }, [](tensor const& x, tensor const&) { return tensor(2) - x; }},
      row{"x < y", [](auto x, auto y) { return x < y; },
          [](tensor const& x, tensor const& y) { return oracle::less(x, y); }},
      row{"where", [](auto x, auto y) { return ts::where(x > y, x, 0.5); },
          [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), x, 0.5); }},
      row{"astype", [](auto x, auto) { return ts::astype<std::int32_t>(x * 9.0); },
          [](tensor const& x, tensor const&) { return oracle::cast(x * 9, oracle::element::int32); }}};
};
struct reductions {
  static constexpr auto rows = std::tuple{
      row{"sum", [](auto x) { return ts::sum(x); }, [](tensor const& x) { return oracle::sum(x); }},
      row{"max<0>", [](auto x) { return ts::max<0>(x); }, [](tensor const& x) { return oracle::max(x, {0}); }},
      row{"mean<1> keepdims", [](auto x) { return ts::mean<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::mean(x, {1}, true); }},
      row{"argmin<1>", [](auto x) { return ts::argmin<1>(x); }, [](tensor const& x) { return oracle::argmin(x, 1); }},
      row{"softmax", [](auto x) { return ts::softmax(x); }, [](tensor const& x) { return oracle::softmax(x); }}};
};
struct movements {
  static constexpr auto rows = std::tuple{
      row{"T", [](auto x) { return x.T(); }, [](tensor const& x) { return oracle::transpose(x); }},
      row{"reshape", [](auto x) { return ts::reshape<8, 2, 2>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {8, 2, 2});
          }},
      row{"broadcast_to", [](auto x) { return ts::broadcast_to<3, 8, 4>(x); },
          [](tensor const& x) {
            return oracle::broadcast_to(x, {3, 8, 4});
          }},
      row{"concatenate", [](auto x) { return ts::concatenate(x, x); },
          [](tensor const& x) {
            return oracle::concatenate({x, x}, 0);
          }},
      row{"flip", [](auto x) { return ts::flip<0>(x); }, [](tensor const& x) { return oracle::flip(x, {0}); }},
      row{"pad", [](auto x) { return ts::pad(x, 1.5, ts::low<4>, ts::high<4>); },
          [](tensor const& x) {
            return oracle::pad(x, 1.5, {4, 0}, {4, 0});
          }},
      row{"reshard", [](auto x) { return ts::reshard<P<mp, dp>>(x); }, [](tensor const& x) { return x; }},
      row{"einsum", [](auto x) { return ts::einsum<"ij->j">(x); }, [](tensor const& x) { return oracle::sum(x, {0}); }},
      row{"matmul", [](auto x) { return ts::matmul(x, x.T(), ts::out_sharding<P<dp>>); },
          [](tensor const& x) { return oracle::matmul(x, oracle::transpose(x)); }}};
};

TEST(eager, elementwise) {
  dense<float, 8, 4> const x(-2, 2), y(-2, 2, 5);
  check<unary_and_binary, on<grid, P<dp, mp>>, eagerly>(x, y);
}
TEST(eager, reductions) { check<reductions, on<grid, P<dp, mp>>, eagerly>(dense<float, 8, 4>(-2, 2)); }
TEST(eager, movements) { check<movements, on<grid, P<dp, mp>>, eagerly>(dense<float, 8, 4>(-2, 2)); }

}  // namespace
