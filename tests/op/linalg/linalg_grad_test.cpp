// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of factorizations and solutions against central differences of plain ones.

#include "support/grad_case.hpp"
#include "support/oracle/factorize.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

tensor turned(tensor const& x) { return oracle::transpose(x, {0, 2, 1}); }
constexpr auto definite(auto x) { return ts::matmul(x, ts::swapaxes<-1, -2>(x)) + ts::eye<3, 3, 0, double>() * 4.0; }
tensor definite_tensor(tensor const& x) {
  return oracle::matmul(x, turned(x)) +
         oracle::generate(x.extents, [](oracle::ints const& at) { return at[1] == at[2] ? 4 : 0; });
}
// By Gauss-Jordan, the largest pivot first.
tensor solved(tensor a, tensor b) {
  auto const n = a.extents[1], m = b.extents[2];
  for (std::int64_t k = 0; k < a.extents[0]; ++k)
    for (std::int64_t c = 0; c < n; ++c) {
      auto best = c;
      for (auto r = c; r < n; ++r)
        if (std::fabs(a[{k, r, c}]) > std::fabs(a[{k, best, c}])) best = r;
      for (std::int64_t j = 0; j < n; ++j) std::swap(a[{k, c, j}], a[{k, best, j}]);
      for (std::int64_t j = 0; j < m; ++j) std::swap(b[{k, c, j}], b[{k, best, j}]);
      for (std::int64_t r = 0; r < n; ++r) {
        if (r == c) continue;
        double const factor = a[{k, r, c}] / a[{k, c, c}];
        for (std::int64_t j = 0; j < n; ++j) a[{k, r, j}] -= factor * a[{k, c, j}];
        for (std::int64_t j = 0; j < m; ++j) b[{k, r, j}] -= factor * b[{k, c, j}];
      }
    }
  for (std::int64_t k = 0; k < a.extents[0]; ++k)
    for (std::int64_t r = 0; r < n; ++r)
      for (std::int64_t j = 0; j < m; ++j) b[{k, r, j}] /= a[{k, r, r}];
  return b;
}
tensor part(tensor const& x, bool upper, bool unit = false) {
  return oracle::generate(x.extents, [&](oracle::ints const& at) {
    if (unit && at[1] == at[2]) return 1.0;
    return (upper ? at[2] >= at[1] : at[2] <= at[1]) ? x[at] : 0;
  });
}
tensor lower_factor(tensor const& x) {
  tensor l = oracle::zeros(x.extents);
  for (std::int64_t k = 0; k < x.extents[0]; ++k)
    for (std::int64_t i = 0; i < x.extents[1]; ++i)
      for (std::int64_t j = 0; j <= i; ++j) {
        double sum = (x[{k, i, j}] + x[{k, j, i}]) / 2;
        for (std::int64_t m = 0; m < j; ++m) sum -= l[{k, i, m}] * l[{k, j, m}];
        l[{k, i, j}] = i == j ? std::sqrt(sum) : sum / l[{k, j, j}];
      }
  return l;
}
tensor factor_of(tensor const& x, bool q_wanted) {
  tensor out = x;
  auto const n = x.extents[1];
  for (std::int64_t k = 0; k < x.extents[0]; ++k) {
    auto const [q, r] = oracle::qr(oracle::generate({n, n}, [&](auto const& at) { return x[{k, at[0], at[1]}]; }));
    oracle::for_each_index({n, n}, [&](auto const& at) { out[{k, at[0], at[1]}] = (q_wanted ? q : r)[at]; });
  }
  return out;
}
// f of the eigenvalues of a definite matrix, as a matrix function, by powers: exp.
tensor exponential(tensor const& x) {
  tensor sum = oracle::zeros(x.extents), term = sum;
  oracle::for_each_index(x.extents, [&](oracle::ints const& at) { term[at] = at[1] == at[2]; });
  for (int n = 1; n < 60; ++n) {
    sum = sum + term;
    term = oracle::matmul(term, x) / n;
  }
  return sum;
}

struct of_one {
  static constexpr auto rows = std::tuple{
      row{"cholesky", [](auto x) { return ts::cholesky(definite(x)); },
          [](tensor const& x) { return lower_factor(definite_tensor(x)); }},
      row{"inv", [](auto x) { return ts::inv(definite(x)); },
          [](tensor const& x) {
            return solved(definite_tensor(x),
                          oracle::generate(x.extents, [](auto const& at) { return at[1] == at[2]; }));
          }},
      row{"qr, q", [](auto x) { return std::get<0>(ts::qr(definite(x))); },
          [](tensor const& x) { return factor_of(definite_tensor(x), true); }},
      row{"qr, r", [](auto x) { return std::get<1>(ts::qr(definite(x))); },
          [](tensor const& x) { return factor_of(definite_tensor(x), false); }},
      row{"eigh",  // the matrix exponential of x / 4: both results at once, whatever the vectors' signs
          [](auto x) {
            auto const [w, v] = ts::eigh(definite(x) * 0.25);
            return ts::matmul(v * ts::expand_dims<-2>(ts::exp(w)), ts::swapaxes<-1, -2>(v));
          },
          [](tensor const& x) { return exponential(definite_tensor(x) * 0.25); }},
      row{"lu",
          [](auto x) { return x * ts::stop_gradient(ts::astype<double>(ts::sum(std::get<1>(ts::lu(x))))) * 0.0 + x; },
          [](tensor const& x) { return x; }},
      row{"norm", [](auto x) { return ts::norm(x); },
          [](tensor const& x) { return oracle::sqrt(oracle::sum(x * x)); }}};
};
struct of_two {
  static constexpr auto rows = std::tuple{
      row{"solve", [](auto x, auto y) { return ts::solve(definite(x), y); },
          [](tensor const& x, tensor const& y) { return solved(definite_tensor(x), y); }},
      row{"solve of a vector", [](auto x, auto y) { return ts::solve(definite(x), ts::sum<-1>(y)); },
          [](tensor const& x, tensor const& y) {
            return oracle::reshape(solved(definite_tensor(x), oracle::sum(y, {2}, true)), {4, 3});
          }},
      row{"triangular_solve, left, lower",
          [](auto x, auto y) { return ts::triangular_solve(definite(x), y, ts::left_side, ts::lower_triangle); },
          [](tensor const& x, tensor const& y) { return solved(part(definite_tensor(x), false), y); }},
      row{"triangular_solve, left, upper, transposed",
          [](auto x, auto y) { return ts::triangular_solve(definite(x), y, ts::left_side, ts::transpose_a); },
          [](tensor const& x, tensor const& y) { return solved(turned(part(definite_tensor(x), true)), y); }},
      row{"triangular_solve, right, lower",
          [](auto x, auto y) { return ts::triangular_solve(definite(x), ts::swapaxes<1, 2>(y), ts::lower_triangle); },
          [](tensor const& x, tensor const& y) { return turned(solved(turned(part(definite_tensor(x), false)), y)); }},
      row{"triangular_solve, unit diagonal",
          [](auto x, auto y) { return ts::triangular_solve(x, y, ts::left_side, ts::unit_diagonal); },
          [](tensor const& x, tensor const& y) { return solved(part(x, true, true), y); }}};
};

TEST(linalg_grad, over_layouts) {
  dense<double, 4, 3, 3> const x(-1, 1);
  check_gradients<of_one, on<grid, P<dp>>>(x);
  check_gradients<of_one, on<cube, P<axes<c, a>>>>(x);
  check_gradients<of_one, nowhere>(x);
}

TEST(linalg_grad, of_two) {
  dense<double, 4, 3, 3> const x(-1, 1);
  dense<double, 4, 3, 2> const y(-1, 1, 5);
  check_gradients<of_two, on<grid, P<dp>>>(x, y);
  check_gradients<of_two, on<grid, P<mp>, P<>>>(x, y);
  check_gradients<of_two, nowhere>(x, y);
}

}  // namespace
