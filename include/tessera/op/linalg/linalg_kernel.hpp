// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dense factorizations of one small or middle matrix, in place of views: they run on any device, one matrix a thread.

#include <tessera/op/linalg/kernels.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::ops::linalg {

template <class T>
TESSERA_FUNCTION void cholesky(dense_view<T> a) {
  std::int64_t const n = a.extent(0);
  bool lost = false;
  for (std::int64_t i = 0; i < n && !lost; ++i) {
    for (std::int64_t j = 0; j <= i && !lost; ++j) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      if (i == j) {
        lost = !(sum > T(0));
        a(i, i) = lost ? T(0) : std::sqrt(sum);
      } else {
        a(i, j) = sum / a(j, j);
      }
    }
  }
  T const none = std::numeric_limits<T>::quiet_NaN();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      if (j > i)
        a(i, j) = T(0);
      else if (lost)
        a(i, j) = none;
}

template <class T>
TESSERA_FUNCTION void solve_triangle(dense_view<T const> a, dense_view<T> b, bool lower, bool transposed, bool unit) {
  std::int64_t const n = a.extent(0), m = b.extent(1);
  bool const forward = lower != transposed;
  for (std::int64_t s = 0; s < n; ++s) {
    std::int64_t const i = forward ? s : n - 1 - s;
    std::int64_t const from = forward ? 0 : i + 1, to = forward ? i : n;
    for (std::int64_t k = from; k < to; ++k) {
      T const factor = transposed ? a(k, i) : a(i, k);
      for (std::int64_t j = 0; j < m; ++j) b(i, j) -= factor * b(k, j);
    }
    if (unit) continue;
    T const inverse = a(i, i);
    for (std::int64_t j = 0; j < m; ++j) b(i, j) /= inverse;
  }
}

template <class T>
TESSERA_FUNCTION void lu(dense_view<T> a, dense_view<std::int32_t> pivots, dense_view<std::int32_t> order) {
  std::int64_t const n = a.extent(0), m = a.extent(1), steps = n < m ? n : m;
  for (std::int64_t i = 0; i < n; ++i) order(i) = static_cast<std::int32_t>(i);
  for (std::int64_t k = 0; k < steps; ++k) {
    std::int64_t best = k;
    for (std::int64_t i = k + 1; i < n; ++i)
      if (std::fabs(a(i, k)) > std::fabs(a(best, k))) best = i;
    pivots(k) = static_cast<std::int32_t>(best);
    if (best != k) {
      for (std::int64_t j = 0; j < m; ++j) {
        T const kept = a(k, j);
        a(k, j) = a(best, j);
        a(best, j) = kept;
      }
      std::int32_t const kept = order(k);
      order(k) = order(best);
      order(best) = kept;
    }
    T const pivot = a(k, k);
    if (pivot == T(0)) continue;
    for (std::int64_t i = k + 1; i < n; ++i) {
      T const factor = a(i, k) /= pivot;
      for (std::int64_t j = k + 1; j < m; ++j) a(i, j) -= factor * a(k, j);
    }
  }
}

// y becomes (1 - t v v^T) y in its rows from `first` and columns from `column`; v: 1, then the rows below of column `first` of a.
template <class T>
TESSERA_FUNCTION void reflect(dense_view<T> a, std::int64_t first, T t, std::int64_t column) {
  std::int64_t const n = a.extent(0), m = a.extent(1);
  for (std::int64_t j = column; j < m; ++j) {
    T dot = a(first, j);
    for (std::int64_t i = first + 1; i < n; ++i) dot += a(i, first) * a(i, j);
    dot *= t;
    a(first, j) -= dot;
    for (std::int64_t i = first + 1; i < n; ++i) a(i, j) -= dot * a(i, first);
  }
}

// Householder reflections, with LAPACK's signs. A reflection's vector stays below the diagonal until q is formed of them.
template <class T>
TESSERA_FUNCTION void qr(dense_view<T> a, dense_view<T> r) {
  std::int64_t const n = a.extent(0), m = a.extent(1);
  auto const below = [&](std::int64_t k) {
    T square = T(0);
    for (std::int64_t i = k + 1; i < n; ++i) square += a(i, k) * a(i, k);
    return square;
  };
  for (std::int64_t k = 0; k < m; ++k) {
    T const head = a(k, k), square = below(k);
    T diagonal = head;
    if (square != T(0)) {
      T const length = std::sqrt(head * head + square);
      diagonal = std::signbit(head) ? length : -length;
      for (std::int64_t i = k + 1; i < n; ++i) a(i, k) /= head - diagonal;
      reflect(a, k, (diagonal - head) / diagonal, k + 1);
    }
    for (std::int64_t j = 0; j < m; ++j) r(k, j) = j < k ? T(0) : j == k ? diagonal : a(k, j);
  }
  for (std::int64_t k = m - 1; k >= 0; --k) {
    T const square = below(k), t = square != T(0) ? T(2) / (T(1) + square) : T(0);
    for (std::int64_t j = k + 1; j < m; ++j) a(k, j) = T(0);
    reflect(a, k, t, k + 1);
    a(k, k) = T(1) - t;
    for (std::int64_t i = 0; i < k; ++i) a(i, k) = T(0);
    for (std::int64_t i = k + 1; i < n; ++i) a(i, k) *= -t;
  }
}

// Symmetric a (n, n): eigenvalues ascending into w, eigenvectors into the columns of v; a is used up. Cyclic Jacobi.
template <class T>
TESSERA_FUNCTION void eigh(dense_view<T> a, dense_view<T> w, dense_view<T> v) {
  std::int64_t const n = a.extent(0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      v(i, j) = i == j ? T(1) : T(0);
      if (j > i) a(i, j) = a(j, i);  // the lower part counts
    }
  for (int sweep = 0; sweep < 60; ++sweep) {
    T off = T(0), on = T(0);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) (i == j ? on : off) += a(i, j) * a(i, j);
    T const small = std::numeric_limits<T>::epsilon();
    if (!(off > small * small * (on + off) * T(0.01))) break;
    for (std::int64_t p = 0; p + 1 < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        if (a(p, q) == T(0)) continue;
        T const theta = (a(q, q) - a(p, p)) / (T(2) * a(p, q));
        T const t = (theta < T(0) ? T(-1) : T(1)) / (std::fabs(theta) + std::sqrt(theta * theta + T(1)));
        T const c = T(1) / std::sqrt(t * t + T(1)), s = t * c;
        for (std::int64_t k = 0; k < n; ++k) {
          T const x = a(k, p), y = a(k, q);
          a(k, p) = c * x - s * y;
          a(k, q) = s * x + c * y;
        }
        for (std::int64_t k = 0; k < n; ++k) {
          T const x = a(p, k), y = a(q, k);
          a(p, k) = c * x - s * y;
          a(q, k) = s * x + c * y;
        }
        for (std::int64_t k = 0; k < n; ++k) {
          T const x = v(k, p), y = v(k, q);
          v(k, p) = c * x - s * y;
          v(k, q) = s * x + c * y;
        }
      }
  }
  for (std::int64_t i = 0; i < n; ++i) w(i) = a(i, i);
  for (std::int64_t i = 0; i < n; ++i) {  // ascending
    std::int64_t least = i;
    for (std::int64_t j = i + 1; j < n; ++j)
      if (w(j) < w(least)) least = j;
    if (least == i) continue;
    T const kept = w(i);
    w(i) = w(least);
    w(least) = kept;
    for (std::int64_t k = 0; k < n; ++k) {
      T const x = v(k, i);
      v(k, i) = v(k, least);
      v(k, least) = x;
    }
  }
}

}  // namespace tessera::ops::linalg
