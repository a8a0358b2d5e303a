// SPDX-License-Identifier: Apache-2.0
#pragma once
// Summaries, diagonals and stacks of arrays [8, 4] for tables: what Tessera computes, and plain loops.

#include "support/op_case.hpp"

#include <algorithm>

namespace summary_rows {

using namespace op_case;
using oracle::ints;
using oracle::tensor;

// NaN where |x| is small, and the same in the oracle.
constexpr auto with_gaps(auto x) { return ts::where(ts::abs(x) < 0.3, std::numeric_limits<double>::quiet_NaN(), x); }
inline bool gap(double v) { return std::fabs(v) < 0.3; }
template <class F>
tensor folded(tensor const& x, double start, F f) {  // over dimension 0, gaps left out
  return oracle::generate({x.extents[1]}, [&](ints const& at) {
    double sum = start;
    for (std::int64_t i = 0; i < x.extents[0]; ++i)
      if (double const v = x[{i, at[0]}]; !gap(v)) sum = f(sum, v);
    return sum;
  });
}
inline tensor count(tensor const& x) {
  return folded(x, 0, [](double n, double) { return n + 1; });
}
inline double quantile_of(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  double const at = q * double(v.size() - 1), part = at - std::floor(at);
  return v[std::size_t(at)] * (1 - part) + v[std::size_t(std::ceil(at))] * part;
}
inline tensor quantile_of_rows(tensor const& x, double q) {
  return oracle::generate({x.extents[0]}, [&](ints const& at) {
    std::vector<double> row;
    for (std::int64_t k = 0; k < x.extents[1]; ++k) row.push_back(x[{at[0], k}]);
    return quantile_of(row, q);
  });
}
inline tensor rows_of(tensor const& x, std::int64_t first, std::int64_t last) {
  return oracle::generate({last - first, x.extents[1]}, [&](ints const& at) { return x[{first + at[0], at[1]}]; });
}
template <class Square>
tensor matrix(std::int64_t n, std::int64_t m, Square f) {
  return oracle::generate({n, m}, [&](ints const& at) { return f(at[0], at[1]); });
}
inline double segment(std::int64_t i) { return double(i % 3); }

// Everything with a gradient.
inline constexpr auto smooth = std::tuple{
    row{"nansum", [](auto x) { return ts::nansum<0>(with_gaps(x)); },
        [](tensor const& x) { return folded(x, 0, [](double a, double v) { return a + v; }); }, 4e-6},
    row{"nanprod", [](auto x) { return ts::nanprod<0>(with_gaps(x)); },
        [](tensor const& x) { return folded(x, 1, [](double a, double v) { return a * v; }); }, 4e-6},
    row{"nanmax", [](auto x) { return ts::nanmax<0>(with_gaps(x)); },
        [](tensor const& x) { return folded(x, -1e9, [](double a, double v) { return std::fmax(a, v); }); }},
    row{"nanmin", [](auto x) { return ts::nanmin<0>(with_gaps(x)); },
        [](tensor const& x) { return folded(x, 1e9, [](double a, double v) { return std::fmin(a, v); }); }},
    row{"nanmean", [](auto x) { return ts::nanmean<0>(with_gaps(x)); },
        [](tensor const& x) { return folded(x, 0, [](double a, double v) { return a + v; }) / count(x); }, 4e-6},
    row{"average", [](auto x) { return ts::average<1>(x, x * x + 1.0); },
        [](tensor const& x) { return oracle::sum(x * (x * x + 1), {1}) / oracle::sum(x * x + 1, {1}); }, 4e-6},
    row{"quantile", [](auto x) { return ts::quantile<1>(ts::reshard<P<>>(x), 0.7); },
        [](tensor const& x) { return quantile_of_rows(x, 0.7); }, 4e-6},
    row{"median", [](auto x) { return ts::median<-1>(ts::reshard<P<>>(x)); },
        [](tensor const& x) { return quantile_of_rows(x, 0.5); }, 4e-6},
    row{"median of all", [](auto x) { return ts::median(ts::reshard<P<>>(x)); },
        [](tensor const& x) { return tensor(quantile_of(x.data, 0.5)); }, 4e-6},
    row{"cov", [](auto x) { return ts::cov(ts::reshard<P<>>(x)); },
        [](tensor const& x) {
          tensor const off = x - oracle::mean(x, {1}, true);
          return oracle::matmul(off, oracle::transpose(off)) / 3;
        },
        4e-6},
    row{"segment_sum",
        [](auto x) { return ts::segment_sum<3>(ts::reshard<P<>>(x), ts::remainder(ts::arange<8>(), 3)); },
        [](tensor const& x) {
          return matrix(3, x.extents[1], [&](auto s, auto k) {
            double sum = 0;
            for (std::int64_t i = s; i < x.extents[0]; i += 3) sum += x[{i, k}];
            return sum;
          });
        },
        4e-6},
    row{"segment_max",
        [](auto x) { return ts::segment_max<3>(ts::reshard<P<>>(x), ts::remainder(ts::arange<8>(), 3)); },
        [](tensor const& x) {
          return matrix(3, x.extents[1], [&](auto s, auto k) {
            double best = -1e9;
            for (std::int64_t i = s; i < x.extents[0]; i += 3) best = std::fmax(best, x[{i, k}]);
            return best;
          });
        }},
    row{"segment_min",
        [](auto x) { return ts::segment_min<3>(ts::reshard<P<>>(x), ts::remainder(ts::arange<8>(), 3)); },
        [](tensor const& x) {
          return matrix(3, x.extents[1], [&](auto s, auto k) {
            double best = 1e9;
            for (std::int64_t i = s; i < x.extents[0]; i += 3) best = std::fmin(best, x[{i, k}]);
            return best;
          });
        }},
    row{"interp",
        [](auto x) {
          auto const points = ts::astype<double>(ts::arange<5>()) * 0.4 - 1.0;
          return ts::interp(x * 1.5, points, ts::sin(points * 3.0) * ts::sum(x));
        },
        [](tensor const& x) {
          double const total = oracle::sum(x).item();
          return oracle::generate(x.extents, [&](ints const& at) {
            double const v = std::clamp(x[at] * 1.5, -1.0, 0.6), place = (v + 1) / 0.4;
            double const low = std::fmin(std::floor(place), 3), part = place - low;
            auto const f = [](double k) { return std::sin((k * 0.4 - 1) * 3); };
            return (f(low) + part * (f(low + 1) - f(low))) * total;
          });
        },
        1e-5},
    row{"diagonal", [](auto x) { return ts::diagonal<1>(ts::reshard<P<>>(x)); },
        [](tensor const& x) { return oracle::generate({3}, [&](ints const& at) {
                                return x[{at[0], at[0] + 1}];
                              }); }},
    row{"diagonal below", [](auto x) { return ts::diagonal<-6>(x); },
        [](tensor const& x) { return oracle::generate({2}, [&](ints const& at) {
                                return x[{at[0] + 6, at[0]}];
                              }); }},
    row{"diagonal of three dimensions", [](auto x) { return ts::diagonal(ts::stack<1>(x, x * 2.0)); },
        [](tensor const& x) { return matrix(4, 2, [&](auto k, auto i) {
                                return x[{i, k}] * double(1 + i);
                              }); }},
    row{"trace", [](auto x) { return ts::trace(x); },
        [](tensor const& x) {
          return tensor(x[{0, 0}] + x[{1, 1}] + x[{2, 2}] + x[{3, 3}]);
        },
        4e-6},
    row{"diag of a matrix", [](auto x) { return ts::diag<-1>(x); },
        [](tensor const& x) { return oracle::generate({4}, [&](ints const& at) {
                                return x[{at[0] + 1, at[0]}];
                              }); }},
    row{"diag of a vector",
        [](auto x) { return ts::diag<-2>(ts::sum<0>(ts::reshard<P<>>(x))) + ts::diag<2>(ts::sum<0>(x)); },
        [](tensor const& x) {
          tensor const v = oracle::sum(x, {0});
          return matrix(6, 6, [&](auto i, auto j) { return i == j + 2 ? v[{j}] : j == i + 2 ? v[{i}] : 0; });
        },
        4e-6},
    row{"tri", [](auto x) { return x * ts::tri<8, 4, 1>(); },
        [](tensor const& x) { return matrix(8, 4, [&](auto i, auto j) {
                                return j <= i + 1 ? x[{i, j}] : 0;
                              }); }},
    row{"kron", [](auto x) { return ts::kron(x, ts::slice_in_dim<0, 0, 2>(ts::reshard<P<>>(x))); },
        [](tensor const& x) {
          return matrix(16, 16, [&](auto i, auto j) { return x[{i / 2, j / 4}] * x[{i % 2, j % 4}]; });
        },
        4e-6},
    row{"cross",
        [](auto x) {
          auto const whole = ts::reshard<P<>>(x);
          return ts::cross(ts::slice_in_dim<1, 0, 3>(whole), ts::slice_in_dim<1, 1, 4>(whole));
        },
        [](tensor const& x) {
          return matrix(8, 3, [&](auto i, auto k) {
            auto const a = (k + 1) % 3, b = (k + 2) % 3;
            return x[{i, a}] * x[{i, b + 1}] - x[{i, b}] * x[{i, a + 1}];
          });
        },
        4e-6},
    row{"matrix_power",
        [](auto x) {
          auto const square = ts::slice_in_dim<0, 0, 4>(ts::reshard<P<>>(x));
          return ts::matrix_power<3>(square) + ts::matrix_power<0>(square);
        },
        [](tensor const& x) {
          tensor const square = rows_of(x, 0, 4);
          return oracle::matmul(oracle::matmul(square, square), square) +
                 matrix(4, 4, [](auto i, auto j) { return i == j; });
        },
        1e-5},
    row{"einsum of a diagonal",
        [](auto x) {
          auto const square = ts::slice_in_dim<0, 2, 6>(ts::reshard<P<>>(x));
          return ts::einsum<"ii->i">(square) * ts::einsum<"ii">(square) + ts::einsum<"ii,ij->j">(square, square);
        },
        [](tensor const& x) {
          return oracle::generate({4}, [&](ints const& at) {
            double trace = 0, sum = 0;
            for (std::int64_t i = 0; i < 4; ++i) {
              trace += x[{i + 2, i}];
              sum += x[{i + 2, i}] * x[{i + 2, at[0]}];
            }
            return x[{at[0] + 2, at[0]}] * trace + sum;
          });
        },
        4e-6},
    row{"einsum with dots",
        [](auto x) {
          auto const whole = ts::reshard<P<>>(x);
          auto const pair = ts::stack<0>(whole, whole * 2.0);  // [2, 8, 4]
          auto const one = ts::slice_in_dim<0, 3, 4>(whole);   // [1, 4]: broadcast
          return ts::einsum<"...ij, ...j -> ...i">(pair, one) + ts::einsum<"...j,j">(pair, ts::sum<0>(whole)) +
                 ts::sum<1>(ts::einsum<"i...,i...->...">(pair, pair));
        },
        [](tensor const& x) {
          tensor const columns = oracle::sum(x, {0});
          return matrix(2, 8, [&](auto k, auto i) {
            double sum = 0;
            for (std::int64_t j = 0; j < 4; ++j)
              sum += double(1 + k) * x[{i, j}] * (x[{3, j}] + columns[{j}]) + 5 * x[{i, j}] * x[{i, j}];
            return sum;
          });
        },
        4e-6},
    row{"vstack", [](auto x) { return ts::vstack(ts::sum<0>(ts::reshard<P<>>(x)), ts::reshard<P<>>(x)); },
        [](tensor const& x) {
          tensor const v = oracle::sum(x, {0});
          return matrix(9, 4, [&](auto i, auto j) { return i == 0 ? v[{j}] : x[{i - 1, j}]; });
        },
        4e-6},
    row{"hstack",
        [](auto x) {
          return ts::hstack(std::tuple{x, x * 2.0});
        },
        [](tensor const& x) {
          return matrix(8, 8, [&](auto i, auto j) { return x[{i, j % 4}] * double(1 + j / 4); });
        }},
    row{"dstack", [](auto x) { return ts::dstack(x, x * 2.0, x * 3.0); },
        [](tensor const& x) {
          return oracle::generate({8, 4, 3}, [&](ints const& at) { return x[{at[0], at[1]}] * double(1 + at[2]); });
        },
        4e-6},
    row{"column_stack", [](auto x) { return ts::column_stack(ts::sum<1>(x), ts::sum<1>(x * x)); },
        [](tensor const& x) {
          tensor const a = oracle::sum(x, {1}), b = oracle::sum(x * x, {1});
          return matrix(8, 2, [&](auto i, auto j) { return j ? b[{i}] : a[{i}]; });
        },
        4e-6},
    row{"diff", [](auto x) { return ts::diff<2>(ts::reshard<P<>>(x)); },
        [](tensor const& x) {
          return matrix(8, 2, [&](auto i, auto j) { return x[{i, j}] - 2 * x[{i, j + 1}] + x[{i, j + 2}]; });
        },
        4e-6},
    row{"meshgrid",
        [](auto x) {
          auto const v = ts::sum<0>(x);
          auto const w = ts::sum<1>(x);
          auto const [a, b] = ts::meshgrid(v, w);
          auto const [c, d] = ts::meshgrid(w, v, ts::by_matrix);
          return a * b + c - d;
        },
        [](tensor const& x) {
          tensor const v = oracle::sum(x, {0}), w = oracle::sum(x, {1});
          return matrix(8, 4, [&](auto i, auto j) { return v[{j}] * w[{i}] + w[{i}] - v[{j}]; });
        },
        4e-6},
    row{"flipud, fliplr", [](auto x) { return ts::flipud(x) - ts::fliplr(x) * 2.0; },
        [](tensor const& x) { return matrix(8, 4, [&](auto i, auto j) {
                                return x[{7 - i, j}] - 2 * x[{i, 3 - j}];
                              }); },
        4e-6},
    row{"rot90", [](auto x) { return ts::rot90(x) - ts::rot90<3>(x) * 2.0 + ts::transpose(ts::rot90<2>(x)); },
        [](tensor const& x) {
          return matrix(4, 8, [&](auto i, auto j) { return x[{j, 3 - i}] - 2 * x[{7 - j, i}] + x[{7 - j, 3 - i}]; });
        },
        4e-6}};

}  // namespace summary_rows
