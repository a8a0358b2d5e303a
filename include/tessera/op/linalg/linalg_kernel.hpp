// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dense factorizations of one small or medium matrix, in place, on views: they run on any device, one matrix a thread.

#include <tessera/op/linalg/kernels.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::ops::linalg {

// What pivots are chosen by: |x|, of complex numbers |re| + |im| as in BLAS.
template <class T>
TESSERA_FUNCTION auto pivot_size(T const& x) {
  if constexpr (tessera::detail::is_complex_type<T>)
    return std::fabs(x.re) + std::fabs(x.im);
  else
    return std::fabs(x);
}

template <class T>
TESSERA_FUNCTION T conjugate_of(T const& x) {
  if constexpr (tessera::detail::is_complex_type<T>)
    return {x.re, -x.im};
  else
    return x;
}
template <class T>
TESSERA_FUNCTION real_of<T> imaginary_part(T const& x) {
  if constexpr (tessera::detail::is_complex_type<T>)
    return x.im;
  else
    return 0;
}
template <class T>
TESSERA_FUNCTION real_of<T> square_of_size(T const& x) {
  if constexpr (tessera::detail::is_complex_type<T>)
    return x.re * x.re + x.im * x.im;
  else
    return x * x;
}
template <class T>
TESSERA_FUNCTION T not_a_number() {
  using R = real_of<T>;
  R const none = std::numeric_limits<R>::quiet_NaN();
  if constexpr (tessera::detail::is_complex_type<T>)
    return {none, none};
  else
    return none;
}

template <class T>
TESSERA_FUNCTION void cholesky(dense_view<T> a) {
  std::int64_t const n = a.extent(0);
  bool lost = false;
  for (std::int64_t i = 0; i < n && !lost; ++i) {
    for (std::int64_t j = 0; j <= i && !lost; ++j) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= a(i, k) * conjugate_of(a(j, k));
      if (i == j) {
        auto const square = tessera::detail::real_part(sum);
        lost = !(square > 0);
        a(i, i) = lost ? T(0) : T(std::sqrt(square));
      } else {
        a(i, j) = sum / a(j, j);
      }
    }
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      if (j > i)
        a(i, j) = T(0);
      else if (lost)
        a(i, j) = not_a_number<T>();
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
      if (pivot_size(a(i, k)) > pivot_size(a(best, k))) best = i;
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

// y becomes (1 - t v v^H) y in its rows from `first` and columns from `column`; v: 1, then the rows below of column
// `first` of a.
template <class T>
TESSERA_FUNCTION void reflect(dense_view<T> a, std::int64_t first, T t, std::int64_t column) {
  std::int64_t const n = a.extent(0), m = a.extent(1);
  for (std::int64_t j = column; j < m; ++j) {
    T dot = a(first, j);
    for (std::int64_t i = first + 1; i < n; ++i) dot += conjugate_of(a(i, first)) * a(i, j);
    dot *= t;
    a(first, j) -= dot;
    for (std::int64_t i = first + 1; i < n; ++i) a(i, j) -= dot * a(i, first);
  }
}

// Householder reflections, with LAPACK's signs. The vector of a reflection is stored below the diagonal, and its factor
// t on it, until q is formed.
template <class T>
TESSERA_FUNCTION void qr(dense_view<T> a, dense_view<T> r) {
  std::int64_t const n = a.extent(0), m = a.extent(1);
  for (std::int64_t k = 0; k < m; ++k) {
    T const head = a(k, k);
    real_of<T> square = 0;
    for (std::int64_t i = k + 1; i < n; ++i) square += square_of_size(a(i, k));
    T diagonal = head, t(0);
    if (square != 0 || imaginary_part(head) != 0) {
      real_of<T> const length = std::sqrt(square_of_size(head) + square);
      diagonal = std::signbit(tessera::detail::real_part(head)) ? length : -length;
      for (std::int64_t i = k + 1; i < n; ++i) a(i, k) /= head - diagonal;
      t = (diagonal - head) / diagonal;
      reflect(a, k, conjugate_of(t), k + 1);
    }
    for (std::int64_t j = 0; j < m; ++j) r(k, j) = j < k ? T(0) : j == k ? diagonal : a(k, j);
    a(k, k) = t;
  }
  for (std::int64_t k = m - 1; k >= 0; --k) {
    T const t = a(k, k);
    for (std::int64_t j = k + 1; j < m; ++j) a(k, j) = T(0);
    reflect(a, k, t, k + 1);
    a(k, k) = T(1) - t;
    for (std::int64_t i = 0; i < k; ++i) a(i, k) = T(0);
    for (std::int64_t i = k + 1; i < n; ++i) a(i, k) *= -t;
  }
}

template <class T>
TESSERA_FUNCTION void exchange(T& x, T& y) {
  T const kept = x;
  x = y;
  y = kept;
}

// The pair (x, y), turned by the angle whose cosine and sine are c and s.
template <class T>
TESSERA_FUNCTION void turn(T& x, T& y, real_of<T> c, real_of<T> s) {
  T const before = x;
  x = c * before - s * y;
  y = s * before + c * y;
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
        for (std::int64_t k = 0; k < n; ++k) turn(a(k, p), a(k, q), c, s);
        for (std::int64_t k = 0; k < n; ++k) turn(a(p, k), a(q, k), c, s);
        for (std::int64_t k = 0; k < n; ++k) turn(v(k, p), v(k, q), c, s);
      }
  }
  for (std::int64_t i = 0; i < n; ++i) w(i) = a(i, i);
  for (std::int64_t i = 0; i < n; ++i) {  // ascending
    std::int64_t least = i;
    for (std::int64_t j = i + 1; j < n; ++j)
      if (w(j) < w(least)) least = j;
    if (least == i) continue;
    exchange(w(i), w(least));
    for (std::int64_t k = 0; k < n; ++k) exchange(v(k, i), v(k, least));
  }
}

// Columns p and q of a, and rows p and q of vt, turned so that the columns are orthogonal: one-sided Jacobi. False where they
// are so already. Complex column q is first multiplied by a number of size 1, which makes the product of the two real.
template <class T>
TESSERA_FUNCTION bool turn_columns(dense_view<T> a, dense_view<T> vt, std::int64_t p, std::int64_t q) {
  using R = real_of<T>;
  std::int64_t const n = a.extent(0), m = vt.extent(1);
  R const small = std::numeric_limits<R>::epsilon(), least = std::numeric_limits<R>::min() / small;
  R square_p = 0, square_q = 0;
  T both(0);
  for (std::int64_t i = 0; i < n; ++i) {
    square_p += square_of_size(a(i, p));
    square_q += square_of_size(a(i, q));
    both += conjugate_of(a(i, p)) * a(i, q);
  }
  R const sizes = std::sqrt(square_p) * std::sqrt(square_q);
  R product = tessera::detail::real_part(both);
  if constexpr (tessera::detail::is_complex_type<T>) product = std::hypot(both.re, both.im);
  if (!(std::fabs(product) > small * std::sqrt(static_cast<R>(n)) * sizes) || !(sizes > least)) return false;
  if constexpr (tessera::detail::is_complex_type<T>) {
    T const direction = both / product;
    for (std::int64_t i = 0; i < n; ++i) a(i, q) *= conjugate_of(direction);
    for (std::int64_t j = 0; j < m; ++j) vt(q, j) *= direction;
  }
  R const theta = (square_q - square_p) / (R(2) * product), size = std::fabs(theta);
  R const root = size > R(1) / small ? size : std::sqrt(size * size + R(1));
  R const t = (theta < R(0) ? R(-1) : R(1)) / (size + root), c = R(1) / std::sqrt(t * t + R(1)), s = t * c;
  for (std::int64_t i = 0; i < n; ++i) turn(a(i, p), a(i, q), c, s);
  for (std::int64_t j = 0; j < m; ++j) turn(vt(p, j), vt(q, j), c, s);
  return true;
}

// Column k of u: of length 1 and orthogonal to the columns before it. Made of the unit vector that these reach least.
template <class T>
TESSERA_FUNCTION void complete_column(dense_view<T> u, std::int64_t k) {
  std::int64_t const n = u.extent(0);
  std::int64_t best = 0;
  real_of<T> reached_least = 2;
  for (std::int64_t i = 0; i < n; ++i) {
    real_of<T> reached = 0;
    for (std::int64_t j = 0; j < k; ++j) reached += square_of_size(u(i, j));
    if (reached < reached_least) {
      reached_least = reached;
      best = i;
    }
  }
  for (std::int64_t i = 0; i < n; ++i) u(i, k) = i == best ? T(1) : T(0);
  for (int time = 0; time < 2; ++time) {  // the second time takes away what rounding left
    for (std::int64_t j = 0; j < k; ++j) {
      T dot = T(0);
      for (std::int64_t i = 0; i < n; ++i) dot += conjugate_of(u(i, j)) * u(i, k);
      for (std::int64_t i = 0; i < n; ++i) u(i, k) -= dot * u(i, j);
    }
    real_of<T> square = 0;
    for (std::int64_t i = 0; i < n; ++i) square += square_of_size(u(i, k));
    real_of<T> const length = std::sqrt(square);
    for (std::int64_t i = 0; i < n; ++i) u(i, k) /= length;
  }
}

template <class T>
TESSERA_FUNCTION T times_power_of_two(T const& x, int exponent) {
  if constexpr (tessera::detail::is_complex_type<T>)
    return {std::ldexp(x.re, exponent), std::ldexp(x.im, exponent)};
  else
    return std::ldexp(x, exponent);
}

// The same exponent is taken from all elements, so that no square overflows or vanishes. False, and all is NaN, where an
// element is not finite.
template <class T>
TESSERA_FUNCTION bool start_of_svd(dense_view<T const> a, dense_view<T> u, dense_view<real_of<T>> s, dense_view<T> vt,
                                   int& exponent) {
  using R = real_of<T>;
  std::int64_t const n = a.extent(0), m = a.extent(1);
  R largest = 0;
  bool finite = true;
  auto const look_at = [&](R part) {
    R const size = std::fabs(part);
    finite = finite && size <= std::numeric_limits<R>::max();
    if (size > largest) largest = size;
  };
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) {
      look_at(tessera::detail::real_part(a(i, j)));
      look_at(imaginary_part(a(i, j)));
    }
  T const none = not_a_number<T>();
  static_cast<void>(std::frexp(finite ? largest : R(0), &exponent));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < u.extent(1); ++j)
      u(i, j) = !finite ? none : j < m ? times_power_of_two(a(i, j), -exponent) : T(0);
  for (std::int64_t i = 0; i < m; ++i) {
    if (!finite) s(i) = not_a_number<R>();
    for (std::int64_t j = 0; j < m; ++j) vt(i, j) = !finite ? none : i == j ? T(1) : T(0);
  }
  return finite;
}

// svd of a with at least as many rows as columns.
template <class T>
TESSERA_FUNCTION void svd_of_columns(dense_view<T const> a, dense_view<T> u, dense_view<real_of<T>> s,
                                     dense_view<T> vt) {
  using R = real_of<T>;
  std::int64_t const n = a.extent(0), m = a.extent(1);
  int exponent = 0;
  if (!start_of_svd(a, u, s, vt, exponent)) return;
  bool turned = true;
  for (int sweep = 0; sweep < 60 && turned; ++sweep) {
    turned = false;
    for (std::int64_t p = 0; p + 1 < m; ++p)
      for (std::int64_t q = p + 1; q < m; ++q)
        if (turn_columns(u, vt, p, q)) turned = true;
  }
  for (std::int64_t k = 0; k < m; ++k) {
    R square = 0;
    for (std::int64_t i = 0; i < n; ++i) square += square_of_size(u(i, k));
    s(k) = std::sqrt(square);
  }
  R const least = std::sqrt(std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon());
  for (std::int64_t k = 0; k < u.extent(1); ++k) {
    std::int64_t most = k;
    for (std::int64_t j = k + 1; j < m; ++j)
      if (s(j) > s(most)) most = j;
    if (most != k) {
      exchange(s(k), s(most));
      for (std::int64_t i = 0; i < n; ++i) exchange(u(i, k), u(i, most));
      for (std::int64_t j = 0; j < m; ++j) exchange(vt(k, j), vt(most, j));
    }
    if (k < m && s(k) > least) {
      for (std::int64_t i = 0; i < n; ++i) u(i, k) /= s(k);
      s(k) = std::ldexp(s(k), exponent);
    } else {
      if (k < m) s(k) = R(0);
      complete_column(u, k);
    }
  }
}

template <class T>
TESSERA_FUNCTION void svd(dense_view<T const> a, dense_view<T> u, dense_view<real_of<T>> s, dense_view<T> vt) {
  if (a.extent(0) >= a.extent(1)) return svd_of_columns(a, u, s, vt);
  // The transposed matrix: its u is v, and its v is u.
  std::int64_t const of_a[]{a.extent(1), a.extent(0)}, steps_of_a[]{a.step(1), a.step(0)};
  std::int64_t const of_u[]{u.extent(1), u.extent(0)}, steps_of_u[]{u.step(1), u.step(0)};
  std::int64_t const of_vt[]{vt.extent(1), vt.extent(0)}, steps_of_vt[]{vt.step(1), vt.step(0)};
  svd_of_columns<T>({a.elements, of_a, steps_of_a, 2}, {vt.elements, of_vt, steps_of_vt, 2}, s,
                    {u.elements, of_u, steps_of_u, 2});
}

}  // namespace tessera::ops::linalg
