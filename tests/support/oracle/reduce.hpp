// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions over any dims (all of them when none are named), with or without keeping them as extents of 1.

#include "support/oracle/binary.hpp"

#include <algorithm>

namespace oracle {

namespace detail {

inline std::vector<bool> marked(ints const& dims, std::int64_t rank) {
  std::vector<bool> reduced(rank, dims.empty());
  for (auto d : dims) reduced[dim_from_front(d, rank)] = true;
  return reduced;
}

inline ints without(ints const& at, std::vector<bool> const& reduced, bool keepdims, std::int64_t kept) {
  ints out;
  for (std::size_t d = 0; d < at.size(); ++d)
    if (!reduced[d])
      out.push_back(at[d]);
    else if (keepdims)
      out.push_back(kept);
  return out;
}

}  // namespace detail

// f(so far, next) over the values in row-major order, from `initial`.
template <class F>
tensor reduce(tensor const& x, ints const& dims, bool keepdims, double initial, F f) {
  auto const reduced = detail::marked(dims, x.rank());
  tensor out = full(detail::without(x.extents, reduced, keepdims, 1), initial);
  for_each_index(x.extents, [&](ints const& at) {
    double& so_far = out[detail::without(at, reduced, keepdims, 0)];
    so_far = f(so_far, x[at]);
  });
  return out;
}

inline tensor sum(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  return reduce(x, dims, keepdims, 0, [](double a, double b) { return a + b; });
}
inline tensor prod(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  return reduce(x, dims, keepdims, 1, [](double a, double b) { return a * b; });
}
// A NaN among the values is the answer.
inline tensor max(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  return reduce(x, dims, keepdims, -INFINITY, [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
}
inline tensor min(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  return reduce(x, dims, keepdims, INFINITY, [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}
inline tensor all(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  return reduce(x, dims, keepdims, 1, [](double a, double b) { return a != 0 && b != 0; });
}
inline tensor any(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  return reduce(x, dims, keepdims, 0, [](double a, double b) { return a != 0 || b != 0; });
}
inline tensor mean(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  tensor const total = sum(x, dims, keepdims);
  return total / (static_cast<double>(x.size()) / static_cast<double>(total.size()));
}
// The mean squared distance from the mean.
inline tensor var(tensor const& x, ints const& dims = {}, bool keepdims = false) {
  tensor const apart = x - mean(x, dims, true);
  return mean(apart * apart, dims, keepdims);
}

// The position of the largest value along a dim, the first of equals; a NaN counts as largest.
inline tensor argmax(tensor const& x, std::int64_t dim, bool keepdims = false) {
  auto const d = dim_from_front(dim, x.rank());
  auto const reduced = detail::marked({d}, x.rank());
  tensor out = zeros(detail::without(x.extents, reduced, keepdims, 1));
  for_each_index(x.extents, [&](ints at) {
    double& best = out[detail::without(at, reduced, keepdims, 0)];
    double const here = x[at];
    auto const position = static_cast<double>(at[d]);
    at[d] = static_cast<std::int64_t>(best);
    if (!std::isnan(x[at]) && (here > x[at] || std::isnan(here))) best = position;
  });
  return out;
}
inline tensor argmin(tensor const& x, std::int64_t dim, bool keepdims = false) {
  return argmax(map(x, [](double v) { return -v; }), dim, keepdims);
}

// The sum of the values up to and with each one, along a dim.
inline tensor cumsum(tensor const& x, std::int64_t dim) {
  auto const d = dim_from_front(dim, x.rank());
  tensor out = x;
  for_each_index(x.extents, [&](ints at) {
    double const here = x[at];
    if (at[d] == 0) return;
    auto const to = at;
    --at[d];
    out[to] = out[at] + here;
  });
  return out;
}

}  // namespace oracle
