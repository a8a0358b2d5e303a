// SPDX-License-Identifier: Apache-2.0
#pragma once
// Singular values and what is made of them, of matrices [b, n, m], for tables: products of u, s and vt that are polynomials
// of the matrix, and textbook loops.

#include "support/op_case.hpp"
#include "support/oracle/contract.hpp"
#include "support/oracle/movement.hpp"

#include <algorithm>

namespace svd_rows {

using namespace op_case;
using oracle::ints;
using oracle::tensor;

inline tensor turned(tensor const& x) { return oracle::transpose(x, {0, 2, 1}); }
constexpr auto turned(auto x) { return ts::swapaxes<-1, -2>(x); }
// Columns of x times the values of a vector.
constexpr auto scaled(auto x, auto by) { return x * ts::expand_dims<-2>(by); }

// Singular values, descending: lengths of the columns of the smaller side once each two of them are orthogonal.
inline tensor values(tensor const& given) {
  tensor x = given.extents[1] < given.extents[2] ? turned(given) : given;
  auto const batch = x.extents[0], n = x.extents[1], m = x.extents[2];
  auto const dot = [&](std::int64_t b, std::int64_t p, std::int64_t q) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[{b, i, p}] * x[{b, i, q}];
    return sum;
  };
  tensor s = oracle::zeros({batch, m});
  for (std::int64_t b = 0; b < batch; ++b) {
    for (int sweep = 0; sweep < 15; ++sweep)
      for (std::int64_t p = 0; p < m; ++p)
        for (auto q = p + 1; q < m; ++q) {
          double const angle = 0.5 * std::atan2(2 * dot(b, p, q), dot(b, p, p) - dot(b, q, q));
          double const c = std::cos(angle), t = std::sin(angle);
          for (std::int64_t i = 0; i < n; ++i) {
            double const one = x[{b, i, p}], two = x[{b, i, q}];
            x[{b, i, p}] = c * one + t * two;
            x[{b, i, q}] = c * two - t * one;
          }
        }
    std::vector<double> found;
    for (std::int64_t k = 0; k < m; ++k) found.push_back(std::sqrt(dot(b, k, k)));
    std::sort(found.rbegin(), found.rend());
    for (std::int64_t k = 0; k < m; ++k) s[{b, k}] = found[static_cast<std::size_t>(k)];
  }
  return s;
}
// f(values of a matrix), one for each.
template <class F>
tensor of_values(tensor const& x, F f) {
  tensor const s = values(x);
  auto const k = s.extents[1];
  return oracle::generate({s.extents[0]}, [&](ints const& at) { return f(&s.data[at[0] * k], k); });
}
// Of definite matrices, by Gauss-Jordan.
inline tensor inverse(tensor a) {
  auto const n = a.extents[1];
  tensor right = oracle::generate(a.extents, [](ints const& at) { return double(at[1] == at[2]); });
  for (std::int64_t b = 0; b < a.extents[0]; ++b)
    for (std::int64_t c = 0; c < n; ++c) {
      double const pivot = a[{b, c, c}];
      for (std::int64_t j = 0; j < n; ++j) a[{b, c, j}] /= pivot, right[{b, c, j}] /= pivot;
      for (std::int64_t r = 0; r < n; ++r) {
        double const by = a[{b, r, c}];
        for (std::int64_t j = 0; j < n && r != c; ++j) {
          a[{b, r, j}] -= by * a[{b, c, j}];
          right[{b, r, j}] -= by * right[{b, c, j}];
        }
      }
    }
  return right;
}
// Of matrices whose rank is their smaller side.
inline tensor pseudoinverse(tensor const& a) {
  tensor const t = turned(a);
  return a.extents[1] >= a.extents[2] ? oracle::matmul(inverse(oracle::matmul(t, a)), t)
                                      : oracle::matmul(t, inverse(oracle::matmul(a, t)));
}
// The sums of sizes in columns, or in rows; the largest or the smallest.
inline tensor norms(tensor const& x, bool columns, bool largest) {
  tensor const sums = oracle::sum(oracle::abs(x), {columns ? 1 : 2}, false);
  auto const m = sums.extents[1];
  return oracle::generate({sums.extents[0]}, [&](ints const& at) {
    double const* const first = &sums.data[static_cast<std::size_t>(at[0] * m)];
    return largest ? *std::max_element(first, first + m) : *std::min_element(first, first + m);
  });
}
// Right sides for x, of its own numbers.
constexpr auto sides(auto x) { return ts::sin(ts::sum<-1>(x) * 3.0); }
inline tensor sides(tensor const& x) {
  return oracle::reshape(oracle::sin(oracle::sum(x, {2}, true) * 3.0), {x.extents[0], x.extents[1], 1});
}
inline tensor flat(tensor const& x) { return oracle::reshape(x, {x.extents[0], x.size() / x.extents[0]}); }

inline constexpr double near = 2e-4;
inline constexpr auto all = std::tuple{
    row{"svd, a third power",
        [](auto x) {
          auto const [u, s, vt] = ts::svd(x, ts::full_matrices<false>);
          return ts::matmul(scaled(u, s * s * s), vt);
        },
        [](tensor const& x) { return oracle::matmul(oracle::matmul(x, turned(x)), x); }, near},
    row{"svd, u and s",
        [](auto x) {
          auto const [u, s, vt] = ts::svd(x, ts::full_matrices<false>, ts::compute_uv<true>);
          return ts::matmul(scaled(u, s * s), turned(u));
        },
        [](tensor const& x) { return oracle::matmul(x, turned(x)); }, near},
    row{"svd, vt and s",
        [](auto x) {
          auto const [u, s, vt] = ts::svd(x, ts::full_matrices<false>);
          return ts::matmul(scaled(turned(vt), s * s), vt);
        },
        [](tensor const& x) { return oracle::matmul(turned(x), x); }, near},
    row{"svd, onto the columns",
        [](auto x) {
          auto const u = std::get<0>(ts::svd(x, ts::full_matrices<false>));
          return ts::matmul(u, turned(u)) + ts::matmul(x, turned(x));
        },
        [](tensor const& x) { return oracle::matmul(x, pseudoinverse(x)) + oracle::matmul(x, turned(x)); }, near},
    row{"svd, onto the rows",
        [](auto x) {
          auto const vt = std::get<2>(ts::svd(x, ts::full_matrices<false>));
          return ts::matmul(turned(vt), vt) + ts::matmul(turned(x), x);
        },
        [](tensor const& x) { return oracle::matmul(pseudoinverse(x), x) + oracle::matmul(turned(x), x); }, near},
    row{"svd without vectors", [](auto x) { return ts::svd(x, ts::compute_uv<false>); }, values, near},
    row{"svdvals", [](auto x) { return ts::svdvals(x); }, values, near},
    row{"pinv", [](auto x) { return ts::pinv(x); }, pseudoinverse, near},
    row{"pinv, rtol", [](auto x) { return ts::pinv(x, 1e-4f); }, pseudoinverse, near},
    row{"lstsq",
        [](auto x) {
          auto const [solution, off, rank, s] = ts::lstsq(x, sides(x));
          return solution;
        },
        [](tensor const& x) { return flat(oracle::matmul(pseudoinverse(x), sides(x))); }, near},
    row{"lstsq, residuals",
        [](auto x) {
          auto const [solution, off, rank, s] = ts::lstsq(x, ts::expand_dims<-1>(sides(x)), 1e-4f);
          return off + ts::expand_dims<-1>(rank) * 0.0 + 1.0;
        },
        [](tensor const& x) {
          tensor const b = sides(x), off = b - oracle::matmul(x, oracle::matmul(pseudoinverse(x), b));
          return oracle::reshape(oracle::sum(off * off, {1}, false), {x.extents[0], 1}) + 1;
        },
        near},
    row{"lstsq, values", [](auto x) { return std::get<3>(ts::lstsq(x, sides(x))); }, values, near},
    row{"matrix_rank", [](auto x) { return ts::sum<-1>(ts::svdvals(x)) * 0.0 + ts::matrix_rank(x); },
        [](tensor const& x) { return of_values(x, [](double const*, std::int64_t k) { return double(k); }); }, near},
    row{"matrix_rank above", [](auto x) { return ts::sum<-1>(ts::svdvals(x)) * 0.0 + ts::matrix_rank(x, 1e9f); },
        [](tensor const& x) { return oracle::zeros({x.extents[0]}); }, near},
    row{"condition_number", [](auto x) { return ts::condition_number(x); },
        [](tensor const& x) { return of_values(x, [](double const* s, std::int64_t k) { return s[0] / s[k - 1]; }); },
        near},
    row{"condition_number, ord<-2>", [](auto x) { return ts::condition_number(x, ts::ord<-2>); },
        [](tensor const& x) { return of_values(x, [](double const* s, std::int64_t k) { return s[k - 1] / s[0]; }); },
        near},
    row{"matrix_norm", [](auto x) { return ts::matrix_norm(x) + ts::matrix_norm(x, ts::fro); },
        [](tensor const& x) {
          return oracle::sqrt(oracle::sum(x * x, {1, 2}, false)) * 2;
        },
        near},
    row{"matrix_norm, nuc", [](auto x) { return ts::matrix_norm(x, ts::nuc); },
        [](tensor const& x) {
          return of_values(x, [](double const* s, std::int64_t k) { return std::accumulate(s, s + k, 0.0); });
        },
        near},
    row{"matrix_norm, ord<2>", [](auto x) { return ts::matrix_norm(x, ts::ord<2>); },
        [](tensor const& x) { return of_values(x, [](double const* s, std::int64_t) { return s[0]; }); }, near},
    row{"matrix_norm, ord<-2>", [](auto x) { return ts::matrix_norm(x, ts::ord<-2>); },
        [](tensor const& x) { return of_values(x, [](double const* s, std::int64_t k) { return s[k - 1]; }); }, near},
    row{"matrix_norm, ord<1>", [](auto x) { return ts::matrix_norm(x, ts::ord<1>); },
        [](tensor const& x) { return norms(x, true, true); }, near},
    row{"matrix_norm, ord<-1>", [](auto x) { return ts::matrix_norm(x, ts::ord<-1>); },
        [](tensor const& x) { return norms(x, true, false); }, near},
    row{"matrix_norm, ord_inf", [](auto x) { return ts::matrix_norm(x, ts::ord_inf); },
        [](tensor const& x) { return norms(x, false, true); }, near},
    row{"matrix_norm, ord_minus_inf", [](auto x) { return ts::matrix_norm(x, ts::ord_minus_inf); },
        [](tensor const& x) { return norms(x, false, false); }, near}};

}  // namespace svd_rows
