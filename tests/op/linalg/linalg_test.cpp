// SPDX-License-Identifier: Apache-2.0
// Factorizations and solutions: what they give, multiplied out, is the matrix again. Over layouts of the batch; small, and
// large enough for LAPACK.

#include "support/op_case.hpp"
#include "support/oracle/factorize.hpp"

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

// The same signs, small and by LAPACK.
template <std::int64_t N, std::int64_t M>
void expect_qr() {
  dense<double, N, M> const x(-1, 1);
  auto const [q, r] = ts::qr(place(nowhere{}, x));
  auto const [expected_q, expected_r] = oracle::qr(x.values);
  expect_near(tensor_of(q), expected_q, 1e-10, "q");
  expect_near(tensor_of(r), expected_r, 1e-10, "r");
}
TEST(linalg, signs_of_qr) {
  expect_qr<5, 3>();
  expect_qr<28, 28>();
  expect_qr<40, 26>();
  auto const turned_identity = place(nowhere{}, dense<double, 2, 2>(tensor({2, 2}, {-1, 0, 0, -1})));
  EXPECT_EQ(tensor_of(std::get<1>(ts::qr(turned_identity))).data, (std::vector<double>{-1, 0, 0, -1}));
}

#ifndef TESSERA_BY_DAY
TEST(linalg, lu_of_oblong_matrices) {
  auto const expect = []<std::int64_t N, std::int64_t M>(dense<double, N, M> const& x) {
    constexpr std::int64_t steps = std::min(N, M);
    auto const [both, pivots, order] = ts::lu(place(nowhere{}, x));
    tensor const factors = tensor_of(both), rows = tensor_of(order);
    EXPECT_EQ(tensor_of(pivots).size(), steps);
    for (std::int64_t i = 0; i < N; ++i)
      for (std::int64_t j = 0; j < M; ++j) {
        double sum = 0;
        for (std::int64_t c = 0; c <= std::min({i, j, steps - 1}); ++c)
          sum += (c == i ? 1 : factors[{i, c}]) * factors[{c, j}];
        EXPECT_NEAR(sum, (x.values[{static_cast<std::int64_t>(rows[{i}]), j}]), 1e-10);
      }
  };
  expect(dense<double, 30, 50>(-1, 1));
  expect(dense<double, 50, 30>(-1, 1));
  expect(dense<double, 3, 5>(-1, 1));
}

// BLAS reads a and b as they lie, by rows or by columns; what it cannot read is left to our own loops.
constexpr bool built_with_lapack =
#if defined(TESSERA_LAPACK)
    true;
#else
    false;
#endif
void triangles_as_they_lie(std::int64_t n) {
  namespace linalg = ts::ops::linalg;
  std::int64_t const m = 7, wide = n + 3;
  tensor const given = oracle::scattered({n, n}, -0.1, 0.1, 1), sides = oracle::scattered({n, m}, -1, 1, 2);
  std::int64_t const square[]{n, n}, oblong[]{n, m};
  for (int flags = 0; flags < 8; ++flags)
    for (int steps = 0; steps < 9; ++steps) {
      bool const lower = flags & 1, transposed = flags & 2, unit = flags & 4;
      std::int64_t const choices[3][2]{{wide, 1}, {1, wide}, {3 * wide, 3}};
      auto const *of_a = choices[steps / 3], *of_b = choices[steps % 3];
      auto const room = static_cast<std::size_t>(9 * wide * wide);
      std::vector<double> left(room), right(room);
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) left[i * of_a[0] + j * of_a[1]] = given[{i, j}] + (i == j ? 2 : 0);
        for (std::int64_t j = 0; j < m; ++j) right[i * of_b[0] + j * of_b[1]] = sides[{i, j}];
      }
      ts::dense_view<double const> const triangle{left.data(), square, of_a, 2};
      ts::dense_view<double> const x{right.data(), oblong, of_b, 2};
      if (!linalg::host_solve_triangle(triangle, x, lower, transposed, unit)) {
        EXPECT_TRUE(steps / 3 == 2 || steps % 3 == 2 || !built_with_lapack);
        linalg::solve_triangle(triangle, x, lower, transposed, unit);
      }
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < m; ++j) {
          double sum = 0;
          for (std::int64_t k = 0; k < n; ++k) {
            std::int64_t const row = transposed ? k : i, column = transposed ? i : k;
            if (row != column && (row > column) != lower) continue;
            sum += (unit && row == column ? 1 : triangle(row, column)) * x(k, j);
          }
          ASSERT_NEAR(sum, (sides[{i, j}]), 1e-12) << n << ' ' << flags << ' ' << steps;
        }
    }
}
TEST(linalg, triangles_as_they_lie) {
  static_cast<void>(ts::qr(place(nowhere{}, dense<double, 2, 2>(-1, 1))));  // binds a program, which finds LAPACK
  for (std::int64_t n : {30, 33, 64, 101}) triangles_as_they_lie(n);
}

TEST(linalg, what_is_not_definite) {
  auto const a = place(nowhere{}, dense<float, 2, 2>(tensor({2, 2}, {1, 2, 2, 1})));
  auto const l = tensor_of(ts::cholesky(a));
  EXPECT_TRUE(std::isnan(l.data[0]) && std::isnan(l.data[2]) && std::isnan(l.data[3]));
  EXPECT_EQ(l.data[1], 0);
}
#endif

}  // namespace
