// SPDX-License-Identifier: Apache-2.0
#pragma once
// LU factors and determinants of matrices [n, 3, 3] for tables: what Tessera computes, and textbook loops.

#include "support/op_case.hpp"

namespace lu_rows {

using namespace op_case;
using oracle::ints;
using oracle::tensor;

// Both factors in one matrix, the largest pivot first.
inline tensor factors(tensor a) {
  for (std::int64_t k = 0; k < a.extents[0]; ++k)
    for (std::int64_t c = 0; c < 3; ++c) {
      auto best = c;
      for (auto r = c; r < 3; ++r)
        if (std::fabs(a[{k, r, c}]) > std::fabs(a[{k, best, c}])) best = r;
      for (std::int64_t j = 0; j < 3; ++j) std::swap(a[{k, c, j}], a[{k, best, j}]);
      for (auto r = c + 1; r < 3; ++r) {
        a[{k, r, c}] /= a[{k, c, c}];
        for (auto j = c + 1; j < 3; ++j) a[{k, r, j}] -= a[{k, r, c}] * a[{k, c, j}];
      }
    }
  return a;
}
// By the first row.
inline tensor determinants(tensor const& a) {
  return oracle::generate({a.extents[0]}, [&](ints const& at) {
    double sum = 0;
    for (std::int64_t j = 0; j < 3; ++j) {
      auto const p = (j + 1) % 3, q = (j + 2) % 3;
      sum += a[{at[0], 0, j}] * (a[{at[0], 1, p}] * a[{at[0], 2, q}] - a[{at[0], 1, q}] * a[{at[0], 2, p}]);
    }
    return sum;
  });
}

inline constexpr auto all = std::tuple{row{"lu", [](auto x) { return std::get<0>(ts::lu(x)); }, factors, 1e-4},
                                       row{"det", [](auto x) { return ts::det(x); }, determinants, 1e-4},
                                       row{"slogdet",
                                           [](auto x) {
                                             auto const [sign, size] = ts::slogdet(x);
                                             return sign * 2.0 + size;
                                           },
                                           [](tensor const& x) {
                                             tensor const d = determinants(x);
                                             return oracle::generate(d.extents, [&](ints const& at) {
                                               return (d[at] < 0 ? -2 : 2) + std::log(std::fabs(d[at]));
                                             });
                                           },
                                           1e-4}};

}  // namespace lu_rows
