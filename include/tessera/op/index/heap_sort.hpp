// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sorting along one dimension by one thread without memory of its own, as accelerators do: by a heap.

#include <tessera/op/index/sort_kernel.hpp>

namespace tessera::ops::sorting {

// Without memory: a heap in the result.
template <class Y, class Before>
TESSERA_FUNCTION void heap_order(dense_view<Y> y, Before const& before) {
  std::int64_t const n = y.extent(0);
  for (std::int64_t start = n / 2, end = n; end > 1;) {
    Y moved;
    if (start > 0) {
      moved = y(--start);
    } else {
      moved = y(--end);
      y(end) = y(0);
    }
    std::int64_t hole = start;
    for (std::int64_t child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && before(y(child), y(child + 1))) ++child;
      if (!before(moved, y(child))) break;
      y(hole) = y(child);
      hole = child;
    }
    y(hole) = moved;
  }
}
template <class T>
struct value_before {
  bool descending;
  TESSERA_FUNCTION bool operator()(T a, T b) const {
    return descending ? key<true>(b) < key<true>(a) : key<true>(a) < key<true>(b);
  }
};
template <class T>
struct position_before {
  dense_view<T const> x;
  bool descending;
  TESSERA_FUNCTION bool operator()(std::int32_t a, std::int32_t b) const {
    auto const k = key<false>(x(a)), l = key<false>(x(b));
    return k != l ? (descending ? l < k : k < l) : a < b;
  }
};
template <class T>
TESSERA_FUNCTION void heap_sort(dense_view<T const> x, dense_view<T> y, bool descending) {
  for (std::int64_t i = 0; i < x.extent(0); ++i) y(i) = x(i);
  heap_order(y, value_before<T>{descending});
}
template <class T>
TESSERA_FUNCTION void heap_argsort(dense_view<T const> x, dense_view<std::int32_t> y, bool descending) {
  for (std::int64_t i = 0; i < x.extent(0); ++i) y(i) = static_cast<std::int32_t>(i);
  heap_order(y, position_before<T>{x, descending});
}
// One after the other.
template <class T>
TESSERA_FUNCTION void select_largest(dense_view<T const> x, dense_view<T> y, dense_view<std::int32_t> at) {
  position_before<T> const before{x, true};
  std::int32_t last = -1;
  for (std::int64_t k = 0; k < y.extent(0); ++k) {
    std::int32_t best = -1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(x.extent(0)); ++i)
      if ((last < 0 || before(last, i)) && (best < 0 || before(i, best))) best = i;
    at(k) = last = best;
    y(k) = x(best);
  }
}

}  // namespace tessera::ops::sorting
