// SPDX-License-Identifier: Apache-2.0
// Factorisations and solutions: what they give, multiplied out, is the matrix again. Over layouts of the batch; small, and
// large enough for LAPACK.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

tensor turned(tensor const& x) {
  oracle::ints order;
  for (std::int64_t d = 0; d < x.rank(); ++d) order.push_back(d);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return oracle::transpose(x, order);
}
// Well-conditioned and positive definite, of any matrix.
constexpr auto definite(auto x) {
  auto const square = ts::matmul(x, ts::swapaxes<-1, -2>(x));
  return square + ts::tril(ts::triu(ts::ones_like(square))) * 4.0;
}

tensor identity(tensor const& x) {
  return oracle::generate(x.extents, [](oracle::ints const& at) { return at[at.size() - 1] == at[at.size() - 2]; });
}
tensor definite_tensor(tensor const& x) { return oracle::matmul(x, turned(x)) + identity(x) * 4; }

struct factors {
  static constexpr auto rows =
      std::tuple{row{"cholesky",
                     [](auto x) {
                       auto const l = ts::cholesky(definite(x));
                       return ts::matmul(l, ts::swapaxes<-1, -2>(l));
                     },
                     definite_tensor, 1e-4},
                 row{"cholesky is lower", [](auto x) { return ts::triu<1>(ts::cholesky(definite(x))); },
                     [](tensor const& x) { return oracle::zeros(x.extents); }},
                 row{"inv", [](auto x) { return ts::matmul(ts::inv(definite(x)), definite(x)); }, identity, 1e-4},
                 row{"solve", [](auto x) { return ts::matmul(definite(x), ts::solve(definite(x), x)); },
                     [](tensor const& x) { return x; }, 1e-4},
                 row{"solve of a vector",
                     [](auto x) {
                       auto const b = ts::sum<-1>(x);
                       return ts::sum<-1>(definite(x) * ts::expand_dims<-2>(ts::solve(definite(x), b))) - b;
                     },
                     [](tensor const& x) {
                       return oracle::zeros({x.extents[0], x.extents[1]});
                     },
                     1e-4},
                 row{"triangular_solve, left, lower",
                     [](auto x) {
                       auto const a = definite(x);
                       return ts::matmul(ts::tril(a), ts::triangular_solve(a, x, ts::left_side, ts::lower_triangle));
                     },
                     [](tensor const& x) { return x; }, 1e-3},
                 row{"triangular_solve, left, upper, transposed",
                     [](auto x) {
                       auto const a = definite(x);
                       return ts::matmul(ts::swapaxes<-1, -2>(ts::triu(a)),
                                         ts::triangular_solve(a, x, ts::left_side, ts::transpose_a));
                     },
                     [](tensor const& x) { return x; }, 1e-3},
                 row{"triangular_solve, right, upper",
                     [](auto x) {
                       auto const a = definite(x);
                       return ts::matmul(ts::triangular_solve(a, x), ts::triu(a));
                     },
                     [](tensor const& x) { return x; }, 1e-3},
                 row{"qr",
                     [](auto x) {
                       auto const [q, r] = ts::qr(definite(x));
                       return ts::matmul(q, r);
                     },
                     definite_tensor, 1e-4},
                 row{"qr is orthonormal",
                     [](auto x) {
                       auto const [q, r] = ts::qr(definite(x));
                       return ts::matmul(ts::swapaxes<-1, -2>(q), q) + 0.0 * r;
                     },
                     identity, 1e-4},
                 row{"eigh",
                     [](auto x) {
                       auto const [w, v] = ts::eigh(definite(x));
                       return ts::matmul(v * ts::expand_dims<-2>(w), ts::swapaxes<-1, -2>(v));
                     },
                     definite_tensor, 1e-4},
                 row{"eigh ascends",
                     [](auto x) {
                       auto const w = std::get<0>(ts::eigh(definite(x)));
                       return ts::sort(w) - w;
                     },
                     [](tensor const& x) {
                       return oracle::zeros({x.extents[0], x.extents[1]});
                     },
                     1e-4},
                 row{"norm", [](auto x) { return ts::norm(x); },
                     [](tensor const& x) { return oracle::sqrt(oracle::sum(x * x)); }, 1e-5}};
};
struct pivoted {
  static constexpr bool sized = true;  // one_hot and eye of as many as there are
  static constexpr auto rows =
      std::tuple{row{"lu",
                     [](auto x) {
                       constexpr auto n = decltype(x)::type::value.extents[2];
                       auto const [both, pivots, order] = ts::lu(x);
                       auto const l = ts::tril<-1>(both) + ts::eye<n>();
                       auto const chosen = ts::one_hot<n>(order);  // the rows of x in that order
                       return ts::matmul(l, ts::triu(both)) - ts::matmul(chosen, x) + 0.0 * ts::sum(pivots);
                     },
                     [](tensor const& x) { return oracle::zeros(x.extents); }, 1e-4}};
};

TEST(linalg, over_layouts) {
  dense<float, 4, 5, 5> const x(-1, 1);
  check<factors, on<grid, P<dp>>, jitted>(x);
  check<pivoted, on<grid, P<dp>>, jitted>(x);
  check<factors, nowhere, interpreted>(dense<double, 3, 4, 4>(-1, 1));
  check<pivoted, nowhere, interpreted>(dense<double, 3, 4, 4>(-1, 1));
  check<factors, on<cube, P<axes<a, c>>>, interpreted>(x);
}

TEST(linalg, by_lapack) {
  check<factors, on<grid, P<mp>>, interpreted>(dense<double, 2, 40, 40>(-1, 1));
  check<pivoted, on<grid, P<mp>>, interpreted>(dense<double, 2, 40, 40>(-1, 1));
}

TEST(linalg, what_is_not_definite) {
  auto const a = place(nowhere{}, dense<float, 2, 2>(tensor({2, 2}, {1, 2, 2, 1})));
  auto const l = tensor_of(ts::cholesky(a));
  EXPECT_TRUE(std::isnan(l.data[0]) && std::isnan(l.data[2]) && std::isnan(l.data[3]));
  EXPECT_EQ(l.data[1], 0);
}

}  // namespace
