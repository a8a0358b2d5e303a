// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices on the host: by LAPACK, if the build has it and they are large enough for the copies, otherwise by the
// kernels for all devices.

#include <tessera/op/linalg/linalg_kernel.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::ops::linalg {

// LAPACK's and BLAS' functions for T, column-major. They return LAPACK's numbers: 0 for success.
template <class T>
struct lapack_functions {
  int (*potrf)(char triangle, int n, T* a) = nullptr;
  int (*gesv)(int n, int m, T* a, int* pivots, T* b) = nullptr;
  int (*syevd)(int n, T* a, real_of<T>* w) = nullptr;  // heevd of complex T
  int (*getrf)(int n, int m, T* a, int* pivots) = nullptr;
  int (*gelqf)(int n, int m, T* a, int step, T* scales) = nullptr;
  int (*orglq)(int n, int m, T* a, int step, T const* scales) = nullptr;  // unglq of complex T
  int (*gesdd)(char job, int n, int m, T* a, real_of<T>* s, T* u, T* vt) = nullptr;
  int (*geev)(int n, T* a, complex_of<T>* w, complex_of<T>* v) = nullptr;  // v null: values only
  int (*gees)(int n, T* a, T* q) = nullptr;                                // of complex T
  void (*trsm)(char side, char triangle, char transposed, char unit, int n, int m, T const* a, int a_step, T* b,
               int b_step) = nullptr;
  // c (n, m) less op(a) op(b), which have k columns and rows.
  void (*gemm)(char turn_a, char turn_b, int n, int m, int k, T const* a, int a_step, T const* b, int b_step, T* c,
               int c_step) = nullptr;
};
// Null without LAPACK. engine/exec/product/lapack.hpp fills it in before the first program is bound, also before main.
template <class T>
inline lapack_functions<T> const* lapack = nullptr;

inline constexpr std::int64_t worth_lapack = 24;  // rows: below, our own loops are faster

// LAPACK's sizes are int, also those of its memory: syevd needs 2 n^2 + 6 n + 1 numbers.
constexpr bool lapack_counts(std::int64_t rows, std::int64_t columns) {
  return rows >= worth_lapack && rows <= std::numeric_limits<int>::max() && columns <= std::numeric_limits<int>::max();
}
constexpr bool lapack_counts_eigh(std::int64_t n) {
  return lapack_counts(n, n) && n <= 32766 && 2 * n * n + 6 * n + 1 <= std::numeric_limits<int>::max();
}
// Of gesdd less than 5 k^2 + 256 (n + m), k the smaller of n and m; of complex T also 2 n m real numbers.
template <class T>
constexpr bool lapack_counts_svd(std::int64_t n, std::int64_t m) {
  std::int64_t const k = std::min(n, m), l = std::max(n, m), most = std::numeric_limits<int>::max();
  std::int64_t const products = tessera::detail::is_complex_type<T> ? 2 * k : 0;
  return lapack_counts(k, l) && k <= 20000 && (256 + products) * (n + m) <= most - 5 * k * k;
}

// In blocks, so that a transposition reads and writes whole cache lines.
template <class T>
void copy_in_blocks(dense_view<T const> x, dense_view<T> y) {
  constexpr std::int64_t side = 16;
  std::int64_t const n = x.extent(0), m = x.extent(1);
  for (std::int64_t i0 = 0; i0 < n; i0 += side)
    for (std::int64_t j0 = 0; j0 < m; j0 += side)
      for (std::int64_t i = i0; i < std::min(n, i0 + side); ++i)
        for (std::int64_t j = j0; j < std::min(m, j0 + side); ++j) y(i, j) = x(i, j);
}

// Memory of a matrix of its own, without gaps: column-major, as LAPACK reads it, or row-major.
template <class T>
class scratch_matrix {
public:
  scratch_matrix(std::int64_t n, std::int64_t m, bool by_columns = true)
      : extents_{n, m},
        steps_{by_columns ? 1 : m, by_columns ? n : 1},
        elements_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n * m))) {}
  explicit scratch_matrix(dense_view<T const> x) : scratch_matrix(x.extent(0), x.extent(1)) {
    copy_in_blocks(x, view());
  }
  T* data() { return elements_.get(); }
  dense_view<T> view() { return {elements_.get(), extents_, steps_, 2}; }
  dense_view<T const> fixed() const { return {elements_.get(), extents_, steps_, 2}; }

private:
  std::int64_t extents_[2], steps_[2];
  std::unique_ptr<T[]> elements_;
};

template <class T>
bool host_cholesky(dense_view<T const> a, dense_view<T> l) {
  std::int64_t const n = a.extent(0);
  if (!lapack<T> || !lapack_counts(n, n)) return false;
  scratch_matrix<T> lower(n, n, false);
  copy_in_blocks(a, lower.view());
  bool const lost = lapack<T>->potrf('U', static_cast<int>(n), lower.data()) != 0;  // upper by columns: lower by rows
  T const none = not_a_number<T>();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) l(i, j) = j > i ? T(0) : lost ? none : lower.data()[i * n + j];
  return true;
}

template <class T>
void host_solve(dense_view<T const> a, dense_view<T const> b, dense_view<T> x) {
  std::int64_t const n = a.extent(0), m = b.extent(1);
  if (lapack<T> && lapack_counts(n, m)) {
    scratch_matrix<T> left(a), right(b);
    auto const pivots = std::make_unique_for_overwrite<int[]>(static_cast<std::size_t>(n));
    lapack<T>->gesv(static_cast<int>(n), static_cast<int>(m), left.data(), pivots.get(), right.data());
    copy_in_blocks(right.fixed(), x);
    return;
  }
  scratch_matrix<T> factors(n, n, false);
  std::vector<std::int32_t> places(static_cast<std::size_t>(2 * n));
  std::int64_t const extents[]{n}, one[]{1};
  dense_view<std::int32_t> const pivots{places.data(), extents, one, 1}, order{places.data() + n, extents, one, 1};
  copy_in_blocks(a, factors.view());
  lu(factors.view(), pivots, order);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) x(i, j) = b(order(i), j);
  solve_triangle(factors.fixed(), x, true, false, true);
  solve_triangle(factors.fixed(), x, false, false, false);
}

template <class T>
bool host_lu(dense_view<T const> a, dense_view<T> factors, dense_view<std::int32_t> pivots,
             dense_view<std::int32_t> order) {
  std::int64_t const n = a.extent(0), m = a.extent(1), steps = std::min(n, m);
  if (!lapack<T> || !lapack_counts(steps, std::max(n, m))) return false;
  scratch_matrix<T> both(a);
  auto const exchanged = std::make_unique_for_overwrite<int[]>(static_cast<std::size_t>(steps));
  lapack<T>->getrf(static_cast<int>(n), static_cast<int>(m), both.data(), exchanged.get());
  copy_in_blocks(both.fixed(), factors);
  for (std::int64_t i = 0; i < n; ++i) order(i) = static_cast<std::int32_t>(i);
  for (std::int64_t k = 0; k < steps; ++k) {
    pivots(k) = exchanged[k] - 1;
    std::swap(order(k), order(pivots(k)));
  }
  return true;
}

// The row-major factors q and r are, column by column, the factors of the transposed matrix, lower and then orthonormal
// rows: no transposition.
template <class T>
bool host_qr(dense_view<T const> a, dense_view<T> q, dense_view<T> r) {
  std::int64_t const n = a.extent(0), m = a.extent(1);
  if (!lapack<T> || !lapack_counts(m, n)) return false;
  scratch_matrix<T> both(n, m, false);
  copy_in_blocks(a, both.view());
  auto const scales = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(m));
  int const rows = static_cast<int>(m), columns = static_cast<int>(n);
  lapack<T>->gelqf(rows, columns, both.data(), rows, scales.get());
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < m; ++j) r(i, j) = j < i ? T(0) : both.data()[i * m + j];
  lapack<T>->orglq(rows, columns, both.data(), rows, scales.get());
  copy_in_blocks(both.fixed(), q);
  return true;
}

// BLAS reads a matrix whose rows or whose columns have no gaps.
template <class T>
struct blas_matrix {
  T* elements = nullptr;
  int step = 0;
  bool by_columns = false;
  explicit blas_matrix(dense_view<T> x) {
    std::int64_t const n = x.extent(0), m = x.extent(1);
    if (x.step(0) == 1 && x.step(1) >= n)
      by_columns = true;
    else if (x.step(1) != 1 || x.step(0) < m)
      return;
    std::int64_t const wide = by_columns ? x.step(1) : x.step(0);
    if (wide > std::numeric_limits<int>::max()) return;
    elements = x.elements;
    step = static_cast<int>(wide);
  }
};

// A triangle and right sides as BLAS takes them, solved in halves: the first half's solution changes the other by a
// product, which is faster than OpenBLAS' trsm. trsm solves 32 rows or fewer.
template <class T>
struct triangle_in_halves {
  char side, triangle, turn, diagonal;
  int a_step, b_step;

  // b: n x others on the left, others x n on the right.
  void solve(int n, int others, T const* a, T* b) const {
    constexpr int few = 32;
    bool const left = side == 'L', upper = triangle == 'U';
    if (n <= few) {
      lapack<T>->trsm(side, triangle, turn, diagonal, left ? n : others, left ? others : n, a, a_step, b, b_step);
      return;
    }
    int const h = (n / 2 + few - 1) / few * few, rest = n - h;
    std::ptrdiff_t const along_a = a_step, along_b = left ? 1 : b_step;
    T const* const last_a = a + h * (along_a + 1);
    T const* const between = a + h * (upper ? along_a : 1);
    T* const last_b = b + h * along_b;
    // Which half needs nothing of the other?
    bool const lower_in_effect = upper == (turn == 'T'), first_goes_first = lower_in_effect == left;
    if (first_goes_first)
      solve(h, others, a, b);
    else
      solve(rest, others, last_a, last_b);
    int const known = first_goes_first ? h : rest, open = n - known;
    T const* const solved = first_goes_first ? b : last_b;
    T* const unsolved = first_goes_first ? last_b : b;
    if (left)
      lapack<T>->gemm(turn, 'N', open, others, known, between, a_step, solved, b_step, unsolved, b_step);
    else
      lapack<T>->gemm('N', turn, others, open, known, solved, b_step, between, a_step, unsolved, b_step);
    if (first_goes_first)
      solve(rest, others, last_a, last_b);
    else
      solve(h, others, a, b);
  }
};

template <class T>
bool host_solve_triangle(dense_view<T const> a, dense_view<T> b, bool lower, bool transposed, bool unit) {
  std::int64_t const n = a.extent(0), m = b.extent(1);
  if (!lapack<T> || !lapack_counts(n, m) || m == 0) return false;
  blas_matrix<T const> const left(a);
  blas_matrix<T> const right(b);
  if (!left.elements || !right.elements) return false;
  // A row-major matrix, read column by column, is its transpose.
  bool const upper_by_columns = lower != left.by_columns;
  bool const other_way = left.by_columns != right.by_columns;
  char const triangle = upper_by_columns ? 'U' : 'L', diagonal = unit ? 'U' : 'N';
  char const turn = transposed != other_way ? 'T' : 'N';
  int const rows = static_cast<int>(n), columns = static_cast<int>(m);
  triangle_in_halves<T> const halves{right.by_columns ? 'L' : 'R', triangle, turn, diagonal, left.step, right.step};
  halves.solve(rows, columns, left.elements, right.elements);
  return true;
}

// Up to three rows by their polynomials, as in JAX. Larger ones by p a q = l u with full pivoting, in double: all
// pivots but the last are 0 only if every cofactor is, and adj(u) = product(u_1) (last u_1^-1, -u_1^-1 u_2; 0, 1)
// divides by these alone.
template <class T>
void host_cofactors(dense_view<T const> a, dense_view<T> c) {
  std::int64_t const n = a.extent(0);
  if (n <= 3) {
    auto const cofactor = [&](std::int64_t i, std::int64_t j) {
      if (n == 1) return T(1);
      if (n == 2) return i == j ? a(1 - i, 1 - j) : -a(1 - i, 1 - j);
      std::int64_t const i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      return static_cast<T>(a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1));
    };
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) c(i, j) = cofactor(i, j);
    return;
  }
  using wide = std::conditional_t<tessera::detail::is_complex_type<T>, complex128, double>;
  scratch_matrix<wide> factors(n, n, false), adjoint(n, n, false);
  auto const f = factors.view(), x = adjoint.view();
  std::vector<std::int64_t> rows(static_cast<std::size_t>(n)), columns(rows.size());
  for (std::int64_t i = 0; i < n; ++i) {
    rows[i] = columns[i] = i;
    for (std::int64_t j = 0; j < n; ++j) f(i, j) = static_cast<wide>(a(i, j)), x(i, j) = wide(0);
  }
  wide product(1);
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t row = k, column = k;
    for (std::int64_t i = k; i < n; ++i)
      for (std::int64_t j = k; j < n; ++j)
        if (pivot_size(f(i, j)) > pivot_size(f(row, column))) row = i, column = j;
    if (row != k) {
      for (std::int64_t j = 0; j < n; ++j) std::swap(f(row, j), f(k, j));
      std::swap(rows[row], rows[k]);
      product = -product;
    }
    if (column != k) {
      for (std::int64_t i = 0; i < n; ++i) std::swap(f(i, column), f(i, k));
      std::swap(columns[column], columns[k]);
      product = -product;
    }
    if (k + 1 == n) break;
    product *= f(k, k);
    for (std::int64_t i = k + 1; i < n && f(k, k) != wide(0); ++i) {
      f(i, k) /= f(k, k);
      for (std::int64_t j = k + 1; j < n; ++j) f(i, j) -= f(i, k) * f(k, j);
    }
  }
  if (product == wide(0)) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) c(i, j) = T(0);
    return;
  }
  wide const last = f(n - 1, n - 1);
  x(n - 1, n - 1) = wide(1);
  for (std::int64_t i = n - 2; i >= 0; --i) {  // u_1 x = (last, -u_2)
    x(i, i) = last;
    x(i, n - 1) = -f(i, n - 1);
    for (std::int64_t k = i + 1; k < n - 1; ++k)
      for (std::int64_t j = k; j < n; ++j) x(i, j) -= f(i, k) * x(k, j);
    for (std::int64_t j = i; j < n; ++j) x(i, j) /= f(i, i);
  }
  for (std::int64_t k = n - 1; k >= 0; --k)  // x l^-1, l's diagonal 1
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < k; ++j) x(i, j) -= x(i, k) * f(k, j);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) c(rows[j], columns[i]) = static_cast<T>(product * x(i, j));
}

template <class T>
bool all_finite(dense_view<T const> x) {
  for (std::int64_t i = 0; i < x.extent(0); ++i)
    for (std::int64_t j = 0; j < x.extent(1); ++j)
      if (!std::isfinite(tessera::detail::real_part(x(i, j))) || !std::isfinite(imaginary_part(x(i, j)))) return false;
  return true;
}

// By rows, a is by columns its transpose: what LAPACK calls u is vt as it is stored, and the other way around.
template <class T>
bool host_svd(dense_view<T const> a, dense_view<T> u, dense_view<real_of<T>> s, dense_view<T> vt) {
  std::int64_t const n = a.extent(0), m = a.extent(1), k = s.extent(0);
  if (!lapack<T> || !lapack_counts_svd<T>(n, m) || !all_finite(a)) return false;
  scratch_matrix<T> both(n, m, false), left(n, u.extent(1), false), right(vt.extent(0), m, false);
  auto const values = std::make_unique_for_overwrite<real_of<T>[]>(static_cast<std::size_t>(k));
  copy_in_blocks(a, both.view());
  bool const full = u.extent(1) > k || vt.extent(0) > k;
  if (lapack<T>->gesdd(full ? 'A' : 'S', static_cast<int>(m), static_cast<int>(n), both.data(), values.get(),
                       right.data(), left.data()) != 0)
    return false;
  for (std::int64_t i = 0; i < k; ++i) s(i) = values[i];
  copy_in_blocks(left.fixed(), u);
  copy_in_blocks(right.fixed(), vt);
  return true;
}

template <class T>
void host_svdvals(dense_view<T const> a, dense_view<real_of<T>> s) {
  std::int64_t const n = a.extent(0), m = a.extent(1), k = s.extent(0);
  if (lapack<T> && lapack_counts_svd<T>(n, m) && all_finite(a)) {
    scratch_matrix<T> both(n, m, false);
    auto const values = std::make_unique_for_overwrite<real_of<T>[]>(static_cast<std::size_t>(k));
    copy_in_blocks(a, both.view());
    if (lapack<T>->gesdd('N', static_cast<int>(m), static_cast<int>(n), both.data(), values.get(), nullptr, nullptr) ==
        0) {
      for (std::int64_t i = 0; i < k; ++i) s(i) = values[i];
      return;
    }
  }
  scratch_matrix<T> left(n, k, false), right(k, m, false);
  svd(a, left.view(), s, right.view());
}

}  // namespace tessera::ops::linalg
