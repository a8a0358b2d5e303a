// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices on the host: by LAPACK where the build has it and they are large enough to be worth the copies, else by the
// kernels that run anywhere.

#include <tessera/op/linalg/linalg_kernel.hpp>

#include <type_traits>
#include <vector>

namespace tessera::ops::linalg {

// LAPACK's functions for T, column-major. The numbers returned are LAPACK's: 0 when all is well.
template <class T>
struct lapack_functions {
  int (*potrf)(char triangle, int n, T* a) = nullptr;
  int (*gesv)(int n, int m, T* a, int* pivots, T* b) = nullptr;
  int (*syevd)(int n, T* a, T* w) = nullptr;
};
// Null without LAPACK. Filled in by exec/product/lapack.hpp before the first program is bound, be that before main.
template <class T>
inline lapack_functions<T> const* lapack = nullptr;

inline constexpr std::int64_t worth_lapack = 24;  // rows: below, our own loops are faster

// LAPACK counts in int, also its memory: of syevd 2 n^2 + 6 n + 1 numbers.
constexpr bool lapack_counts(std::int64_t rows, std::int64_t columns) {
  return rows >= worth_lapack && rows <= std::numeric_limits<int>::max() && columns <= std::numeric_limits<int>::max();
}
constexpr bool lapack_counts_eigh(std::int64_t n) {
  return lapack_counts(n, n) && n <= 32766 && 2 * n * n + 6 * n + 1 <= std::numeric_limits<int>::max();
}

// Column-major, without gaps: a copy.
template <class T>
std::vector<T> columns_of(dense_view<T const> a) {
  std::int64_t const n = a.extent(0), m = a.extent(1);
  std::vector<T> out(static_cast<std::size_t>(n * m));
  for (std::int64_t j = 0; j < m; ++j)
    for (std::int64_t i = 0; i < n; ++i) out[static_cast<std::size_t>(j * n + i)] = a(i, j);
  return out;
}

template <class T>
bool host_cholesky(dense_view<T const> a, dense_view<T> l) {
  if constexpr (sizeof(T) >= 4) {
    std::int64_t const n = a.extent(0);
    if (!lapack<T> || !lapack_counts(n, n)) return false;
    std::vector<T> memory(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) memory[static_cast<std::size_t>(i * n + j)] = a(i, j);
    bool const lost =
        lapack<T>->potrf('U', static_cast<int>(n), memory.data()) != 0;  // upper by columns: lower by rows
    T const none = std::numeric_limits<T>::quiet_NaN();
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        l(i, j) = j > i ? T(0) : lost ? none : memory[static_cast<std::size_t>(i * n + j)];
    return true;
  } else {
    return false;
  }
}

template <class T>
void host_solve(dense_view<T const> a, dense_view<T const> b, dense_view<T> x) {
  std::int64_t const n = a.extent(0), m = b.extent(1);
  if (lapack<T> && lapack_counts(n, m)) {
    std::vector<T> left = columns_of(a), right = columns_of(b);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    lapack<T>->gesv(static_cast<int>(n), static_cast<int>(m), left.data(), pivots.data(), right.data());
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < m; ++j) x(i, j) = right[static_cast<std::size_t>(j * n + i)];
    return;
  }
  std::vector<T> memory(static_cast<std::size_t>(n * n));
  std::vector<std::int32_t> places(static_cast<std::size_t>(2 * n));
  std::int64_t const extents[]{n, n}, steps[]{n, 1};
  dense_view<T> const factors{memory.data(), extents, steps, 2};
  std::int64_t const one[]{1};
  dense_view<std::int32_t> const pivots{places.data(), extents, one, 1}, order{places.data() + n, extents, one, 1};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) factors(i, j) = a(i, j);
  lu(factors, pivots, order);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) x(i, j) = b(order(i), j);
  dense_view<T const> const fixed{memory.data(), extents, steps, 2};
  solve_triangle(fixed, x, true, false, true);
  solve_triangle(fixed, x, false, false, false);
}

template <class T>
void host_eigh(dense_view<T const> a, dense_view<T> w, dense_view<T> v) {
  std::int64_t const n = a.extent(0);
  std::vector<T> memory = columns_of(a);
  if (lapack<T> && lapack_counts_eigh(n)) {
    std::vector<T> values(static_cast<std::size_t>(n));
    lapack<T>->syevd(static_cast<int>(n), memory.data(), values.data());
    for (std::int64_t i = 0; i < n; ++i) {
      w(i) = values[static_cast<std::size_t>(i)];
      for (std::int64_t j = 0; j < n; ++j) v(i, j) = memory[static_cast<std::size_t>(j * n + i)];
    }
    return;
  }
  std::int64_t const extents[]{n, n}, steps[]{1, n};
  eigh(dense_view<T>{memory.data(), extents, steps, 2}, w, v);
}

}  // namespace tessera::ops::linalg
