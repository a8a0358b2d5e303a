// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of matrix products and einsums by both operands, over layouts of both and of the result.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct products {
  static constexpr auto rows =
      std::tuple{row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
                 row{"dot", [](auto x, auto y) { return ts::dot(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
                 row{"dot_general of the second",
                     [](auto x, auto y) { return (ts::dot_general<ts::contract<ts::dims<0>, ts::dims<1>>>(y, x)); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("kj,ik->ji", y, x); }},
                 row{"transposed", [](auto x, auto y) { return ts::einsum<"ij,jk->ki">(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,jk->ki", x, y); }},
                 row{"summed", [](auto x, auto y) { return ts::einsum<"ij,jk->k">(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,jk->k", x, y); }}};
};
struct laid_out {
  static constexpr auto rows = std::tuple{
      row{"whole", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
      row{"scattered", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<dp, mp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
      row{"moved", [](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<P<none, dp>>); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
      row{"einsum", [](auto x, auto y) { return ts::einsum<"ij,jk->ki">(x, y, ts::out_sharding<P<none, dp>>); },
          [](tensor const& x, tensor const& y) { return oracle::einsum("ij,jk->ki", x, y); }}};
};
struct pending {
  static constexpr auto rows =
      std::tuple{row{"partial sums",
                     [](auto x, auto y) {
                       return ts::reshard<P<>>(ts::matmul(x, y, ts::out_sharding<P<none, none, ts::unreduced<mp>>>));
                     },
                     [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }}};
};
// The cotangent of a reduced value is a partial sum, which the reshard back completes.
struct of_reduced {
  static constexpr auto rows = std::tuple{
      row{"matmul", [](auto x, auto y) { return ts::matmul(x, ts::reshard<P<none, none, ts::reduced<dp>>>(y)); },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
      row{"multiply",
          [](auto x, auto y) {
            auto const r = ts::reshard<P<none, none, ts::reduced<dp>>>(y);
            return ts::matmul(x, ts::reshard<P<>>(ts::tanh(r * r)));
          },
          [](tensor const& x, tensor const& y) { return oracle::matmul(x, oracle::tanh(y * y)); }}};
};
struct batched {
  static constexpr auto rows =
      std::tuple{row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }},
                 row{"einsum", [](auto x, auto y) { return ts::einsum<"bij,bjk->kib">(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("bij,bjk->kib", x, y); }}};
};
struct one_product {
  static constexpr auto rows = std::tuple{row{"matmul", [](auto x, auto y) { return ts::matmul(x, y); },
                                              [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); }}};
};
struct elementwise {
  static constexpr auto rows =
      std::tuple{row{"ij,ij->i", [](auto x, auto y) { return ts::einsum<"ij,ij->i">(x, y, ts::out_sharding<P<dp>>); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,ij->i", x, y); }},
                 row{"ij,ij->", [](auto x, auto y) { return ts::einsum<"ij,ij->">(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,ij->", x, y); }},
                 row{"ij,kj->ik", [](auto x, auto y) { return ts::einsum<"ij,kj->ik">(x, y, ts::out_sharding<P<dp>>); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,kj->ik", x, y); }}};
};

TEST(matmul_grad, over_layouts) {
  dense<double, 8, 4> const x(-1, 1);
  dense<double, 4, 8> const y(-1, 1, 5);
  check_gradients<products, nowhere>(x, y);
  check_gradients<products, on<grid, P<dp>, P<none, mp>>>(x, y);
  check_gradients<products, on<grid, P<mp, dp>, P<>>>(x, y);
  check_gradients<products, on<cube, P<axes<a, b>>, P<none, c>>>(x, y);
}

TEST(matmul_grad, of_reduced_values) {
  dense<double, 8, 4> const x(-1, 1);
  dense<double, 4, 8> const y(-1, 1, 5);
  check_gradients<of_reduced, on<grid, P<dp>, P<>>>(x, y);
  check_gradients<of_reduced, on<grid, P<dp, mp>, P<>>>(x, y);
  check_gradients<of_reduced, on<grid, P<mp>, P<>>, jitted>(x, y);
}

TEST(matmul_grad, with_out_sharding) {
  dense<double, 8, 4> const x(-1, 1);
  dense<double, 4, 8> const y(-1, 1, 5);
  check_gradients<laid_out, on<grid, P<dp, mp>, P<mp>>>(x, y);
  check_gradients<laid_out, on<grid, P<mp, dp>, P<mp, dp>>>(x, y);
  check_gradients<pending, on<grid, P<none, mp>, P<mp>>>(x, y);
  check_gradients<elementwise, on<grid, P<dp, mp>, P<dp, mp>>>(x, dense<double, 8, 4>(-1, 1, 5));
}

TEST(matmul_grad, batched) {
  dense<double, 4, 2, 6> const x(-1, 1);
  dense<double, 4, 6, 2> const y(-1, 1, 5);
  check_gradients<batched, on<grid, P<dp, mp>, P<dp>>>(x, y);
  check_gradients<batched, on<cube, P<axes<a, c>>, P<axes<a, c>, none, b>>>(x, y);
  check_gradients<one_product, on<grid, P<>, P<dp>>>(dense<double, 3, 6>(-1, 1), y);
  check_gradients<one_product, on<grid, P<dp>, P<>>>(x, dense<double, 6>(-1, 1));
}

}  // namespace
