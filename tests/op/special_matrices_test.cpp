// SPDX-License-Identifier: Apache-2.0
// Linear algebra of singular, indefinite and infinite matrices, and of NaN, and its gradients, against JAX.

#include "support/special_answers.hpp"

namespace {

using special::differs;
using special::row;
namespace ts = tessera;

#define OF(op)                                  \
  row {                                         \
#op, [](auto x) { return ts::op(x); }, 1e-5 \
  }
#define EACH(op)                                                                        \
  row {                                                                                 \
#op, [](auto x) { return ts::vmap([](auto one) { return ts::op(one); })(x); }, 1e-5 \
  }

struct factors {
  static constexpr auto rows =
      std::tuple{OF(det),
                 row{"slogdet", [](auto x) { return std::get<1>(ts::slogdet(x)); }, 1e-5},
                 row{"sign_of_det", [](auto x) { return std::get<0>(ts::slogdet(x)); }},
                 OF(inv),
                 row{"solve", [](auto x) { return ts::solve(x, ts::ones<float, 10, 3, 2>()); }, 1e-5},
                 OF(cholesky),
                 row{"eigenvalues", [](auto x) { return std::get<0>(ts::eigh(x)); }, 1e-5},
                 row{"triangular_solve",
                     [](auto x) {
                       return ts::triangular_solve(x, ts::ones<float, 10, 3, 2>(), ts::left_side, ts::lower_triangle);
                     },
                     1e-5},
                 row{"matmul", [](auto x) { return ts::matmul(x, x); }},
                 OF(tril),
                 OF(triu),
                 row{"qr_r", [](auto x) { return ts::abs(std::get<1>(ts::qr(x))); }, 1e-5},
                 row{"lu", [](auto x) { return std::get<0>(ts::lu(x)); }, 1e-5},
                 EACH(matrix_trace),
                 EACH(norm),
                 EACH(cov),
                 row{"matrix_power", [](auto x) { return ts::matrix_power<3>(x); }}};
};
TEST(special_matrices, factors) {
  auto file = special::read("matrices");
  auto const x = special::put<10, 3, 3>(file, "x");
  special::differences const other{{"det value", {differs::number}},
                                   {"sign_of_det value", {differs::lost}},
                                   {"inv value", {differs::lost}},
                                   {"solve value", {differs::lost}},
                                   {"eigenvalues value", {differs::other}},

                                   {"lu value", {differs::lost}},
                                   {"det by0", {differs::lost}},
                                   {"slogdet by0", {differs::lost}},
                                   {"solve by0", {differs::number}},
                                   {"eigenvalues by0", {differs::other}},

                                   {"lu by0", {differs::lost}}};
  special::check_values<factors>("matrices", file, other, false, x);
  special::check_slopes<factors>("matrices", file, other, ts::device_put(ts::host<1>(std::vector<float>(1, 1.0f))), x);
}

}  // namespace
