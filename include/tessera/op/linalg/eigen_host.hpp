// SPDX-License-Identifier: Apache-2.0
#pragma once
// Eigenvalues and the Schur form of square matrices on the host: by LAPACK where the build has it, otherwise by Householder
// reflections and the QR algorithm, in double. Matrices with elements that are not finite, and those for which the algorithm
// does not end, give NaN. Source: Golub and Van Loan, Matrix Computations, 7.4 and 7.5.

#include <tessera/op/linalg/linalg_host.hpp>

#include <complex>

namespace tessera::ops::linalg {

// A row-major matrix of std::complex<R>. (A template, so that programs that need none compile none.)
template <class R>
class matrix_of {
public:
  using number = std::complex<R>;
  matrix_of(std::int64_t n, std::int64_t m) : columns_(m), all_(static_cast<std::size_t>(n * m)) {}
  template <class T>
  explicit matrix_of(dense_view<T> x) : matrix_of(x.extent(0), x.extent(1)) {
    for (std::int64_t i = 0; i < x.extent(0); ++i)
      for (std::int64_t j = 0; j < x.extent(1); ++j) (*this)(i, j) = widened(x(i, j));
  }
  number& operator()(std::int64_t i, std::int64_t j) { return all_[static_cast<std::size_t>(i * columns_ + j)]; }
  number operator()(std::int64_t i, std::int64_t j) const { return all_[static_cast<std::size_t>(i * columns_ + j)]; }
  std::int64_t rows() const { return static_cast<std::int64_t>(all_.size()) / (columns_ > 0 ? columns_ : 1); }
  std::int64_t columns() const { return columns_; }

  matrix_of times(matrix_of const& y) const {
    matrix_of z(rows(), y.columns_);
    for (std::int64_t i = 0; i < rows(); ++i)
      for (std::int64_t k = 0; k < columns_; ++k)
        for (std::int64_t j = 0; j < y.columns_; ++j) z(i, j) += (*this)(i, k) * y(k, j);
    return z;
  }
  matrix_of adjoint() const {
    matrix_of z(columns_, rows());
    for (std::int64_t i = 0; i < rows(); ++i)
      for (std::int64_t j = 0; j < columns_; ++j) z(j, i) = std::conj((*this)(i, j));
    return z;
  }
  template <class T>
  void round_to(dense_view<T> x) const {
    for (std::int64_t i = 0; i < x.extent(0); ++i)
      for (std::int64_t j = 0; j < x.extent(1); ++j) x(i, j) = rounded<T>((*this)(i, j));
  }
  template <class T>
  static number widened(T const& x) {
    if constexpr (tessera::detail::is_complex_type<T>)
      return {static_cast<R>(x.re), static_cast<R>(x.im)};
    else
      return static_cast<R>(x);
  }
  template <class T>
  static T rounded(number x) {
    if constexpr (tessera::detail::is_complex_type<T>)
      return {static_cast<typename T::value_type>(x.real()), static_cast<typename T::value_type>(x.imag())};
    else
      return static_cast<T>(x.real());
  }

private:
  std::int64_t columns_;
  std::vector<number> all_;
};
using wide_matrix = matrix_of<double>;

template <class T>
void fill_matrix(dense_view<T> x, T value) {
  for (std::int64_t i = 0; i < x.extent(0); ++i)
    for (std::int64_t j = 0; j < x.extent(1); ++j) x(i, j) = value;
}
// a = q t q^H with t upper triangular and q unitary: t begins as a.
template <class R>
class schur_factors {
public:
  using number = std::complex<R>;
  matrix_of<R> t, q;
  bool ended = false;  // else there are no numbers

  schur_factors() : t(0, 0), q(0, 0) {}
  explicit schur_factors(matrix_of<R> a) : t(std::move(a)), q(t.rows(), t.rows()), n_(t.rows()) {
    for (std::int64_t i = 0; i < n_; ++i) q(i, i) = 1;
    ended = true;
    R const size = scale();
    to_hessenberg();
    to_triangle();
    each([size](number& x) { x *= size; });
  }

private:
  template <class F>
  void each(F const& f) {
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j) f(t(i, j));
  }
  // Divides by a power of 2, so that no square overflows or is lost. Returns it.
  R scale() {
    R most = 0;
    each([&](number& x) { most = std::max({most, std::abs(x.real()), std::abs(x.imag())}); });
    if (most == 0) return 1;
    R const size = std::ldexp(1.0, std::clamp(std::ilogb(most), -1000, 1000));
    each([size](number& x) { x /= size; });
    return size;
  }
  // Reflections make 0 what is below the first subdiagonal.
  void to_hessenberg() {
    std::vector<number> v(static_cast<std::size_t>(n_));
    for (std::int64_t k = 0; k + 2 < n_; ++k) {
      R square = 0;
      for (std::int64_t i = k + 2; i < n_; ++i) square += std::norm(t(i, k));
      if (square == 0) continue;
      number const head = t(k + 1, k);
      R const length = std::sqrt(std::norm(head) + square);
      number const direction = head == 0.0 ? number(1) : head / std::abs(head);
      for (std::int64_t i = k + 1; i < n_; ++i) v[i] = t(i, k);
      v[k + 1] += direction * length;
      R const of_v = square + std::norm(v[k + 1]);
      for (std::int64_t j = 0; j < n_; ++j) {
        number dot = 0;
        for (std::int64_t i = k + 1; i < n_; ++i) dot += std::conj(v[i]) * t(i, j);
        dot *= 2 / of_v;
        for (std::int64_t i = k + 1; i < n_; ++i) t(i, j) -= dot * v[i];
      }
      auto const from_the_right = [&](matrix_of<R>& m) {
        for (std::int64_t i = 0; i < n_; ++i) {
          number dot = 0;
          for (std::int64_t j = k + 1; j < n_; ++j) dot += m(i, j) * v[j];
          dot *= 2 / of_v;
          for (std::int64_t j = k + 1; j < n_; ++j) m(i, j) -= dot * std::conj(v[j]);
        }
      };
      from_the_right(t);
      from_the_right(q);
      for (std::int64_t i = k + 2; i < n_; ++i) t(i, k) = 0;
    }
  }
  // The QR algorithm with Wilkinson's shift, from the last row up.
  void to_triangle() {
    int turns = 0;
    for (std::int64_t last = n_ - 1; last > 0;) {
      std::int64_t first = last;
      while (first > 0 && !splits(first)) --first;
      if (first > 0) t(first, first - 1) = 0;
      if (first == last) {
        --last;
        turns = 0;
      } else if (++turns > 300) {
        ended = false;
        return;
      } else {
        step(first, last, turns % 10 == 0 ? t(last, last) + std::abs(t(last, last - 1)) : shift(last));
      }
    }
  }
  bool splits(std::int64_t i) const {
    R const beside = std::abs(t(i - 1, i - 1)) + std::abs(t(i, i));
    return std::abs(t(i, i - 1)) <= std::numeric_limits<R>::epsilon() * beside || t(i, i - 1) == 0.0;
  }
  // The eigenvalue of the last two rows that is nearer to the last element.
  number shift(std::int64_t last) const {
    number const a = t(last - 1, last - 1), b = t(last - 1, last), c = t(last, last - 1), d = t(last, last);
    number const half = (a - d) / 2.0, root = std::sqrt(half * half + b * c);
    number const low = half + root, high = half - root;
    number const further = std::abs(low) > std::abs(high) ? low : high;
    return further == 0.0 ? d : d - b * c / further;
  }
  // Rows and columns first .. last of t - shift become r q of their factors q r; the rest is turned along.
  void step(std::int64_t first, std::int64_t last, number shifted) {
    std::vector<std::pair<number, number>> turns;
    for (std::int64_t i = first; i <= last; ++i) t(i, i) -= shifted;
    for (std::int64_t k = first; k < last; ++k) {
      number const x = t(k, k), y = t(k + 1, k);
      R const length = std::hypot(std::abs(x), std::abs(y));
      number const c = length == 0 ? number(1) : x / length, s = length == 0 ? number(0) : y / length;
      turns.emplace_back(c, s);
      for (std::int64_t j = k; j < n_; ++j) {
        number const above = t(k, j), below = t(k + 1, j);
        t(k, j) = std::conj(c) * above + std::conj(s) * below;
        t(k + 1, j) = c * below - s * above;
      }
    }
    for (std::int64_t k = first; k < last; ++k) {
      auto const [c, s] = turns[k - first];
      turn_columns_of(t, k, std::min(k + 2, last + 1), c, s);
      turn_columns_of(q, k, n_, c, s);
    }
    for (std::int64_t i = first; i <= last; ++i) t(i, i) += shifted;
  }
  static void turn_columns_of(matrix_of<R>& m, std::int64_t k, std::int64_t rows, number c, number s) {
    for (std::int64_t i = 0; i < rows; ++i) {
      number const left = m(i, k), right = m(i, k + 1);
      m(i, k) = left * c + right * s;
      m(i, k + 1) = right * std::conj(c) - left * std::conj(s);
    }
  }

  std::int64_t n_ = 0;
};
using schur_form = schur_factors<double>;

template <class T>
constexpr bool lapack_counts_eig(std::int64_t n) {
  return lapack<T> && n > 0 && n <= 32766;
}

// The eigenvectors of a triangle, as columns; then those of a, of length 1 and with a real largest element.
template <class R>
matrix_of<R> vectors_of(schur_factors<R> const& made) {
  using number = std::complex<R>;
  std::int64_t const n = made.t.rows();
  R most = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i; j < n; ++j) most = std::max(most, std::abs(made.t(i, j)));
  R const least = std::max(most * std::numeric_limits<R>::epsilon(), std::numeric_limits<R>::min());
  matrix_of<R> v(n, n);
  for (std::int64_t j = 0; j < n; ++j) {
    v(j, j) = 1;
    for (std::int64_t i = j - 1; i >= 0; --i) {
      number sum = 0;
      for (std::int64_t k = i + 1; k <= j; ++k) sum -= made.t(i, k) * v(k, j);
      number const apart = made.t(i, i) - made.t(j, j);
      v(i, j) = sum / (std::abs(apart) < least ? number(least) : apart);
    }
  }
  v = made.q.times(v);
  for (std::int64_t j = 0; j < n; ++j) {
    R length = 0;
    std::int64_t largest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      length = std::hypot(length, std::abs(v(i, j)));
      if (std::abs(v(i, j)) > std::abs(v(largest, j))) largest = i;
    }
    number const by = std::conj(v(largest, j)) / std::abs(v(largest, j)) / length;
    for (std::int64_t i = 0; i < n; ++i) v(i, j) *= by;
  }
  return v;
}

// Eigenvalues into w and, unless v is null, vectors into its columns.
template <class T>
void eigen(dense_view<T const> a, dense_view<complex_of<T>> w, dense_view<complex_of<T>> const* v) {
  using C = complex_of<T>;
  std::int64_t const n = a.extent(0);
  bool found = all_finite(a);
  if (found && lapack_counts_eig<T>(n)) {
    scratch_matrix<T> both(a);
    scratch_matrix<C> vectors(v ? n : 0, n);
    std::vector<C> values(static_cast<std::size_t>(n));
    found = lapack<T>->geev(static_cast<int>(n), both.data(), values.data(), v ? vectors.data() : nullptr) == 0;
    for (std::int64_t i = 0; i < n; ++i) w(i) = values[i];
    if (v) copy_in_blocks(vectors.fixed(), *v);
  } else if (found) {
    schur_form const made{wide_matrix(a)};
    found = made.ended;
    for (std::int64_t i = 0; i < n; ++i) w(i) = wide_matrix::rounded<C>(made.t(i, i));
    if (v) vectors_of(made).round_to(*v);
  }
  if (found) return;
  for (std::int64_t i = 0; i < n; ++i) w(i) = not_a_number<C>();
  if (v) fill_matrix(*v, not_a_number<C>());
}
template <class T>
void host_eigvals(dense_view<T const> a, dense_view<complex_of<T>> w) {
  eigen<T>(a, w, nullptr);
}
template <class T>
void host_eig(dense_view<T const> a, dense_view<complex_of<T>> w, dense_view<complex_of<T>> v) {
  eigen(a, w, &v);
}

template <class T>
schur_form schur_of(dense_view<T const> a) {
  std::int64_t const n = a.extent(0);
  if (!all_finite(a)) return schur_form{};
  if (!lapack_counts_eig<complex128>(n)) return schur_form{wide_matrix(a)};
  scratch_matrix<complex128> both(n, n), vectors(n, n);
  wide_matrix(a).round_to(both.view());
  schur_form made;
  made.ended = lapack<complex128>->gees(static_cast<int>(n), both.data(), vectors.data()) == 0;
  made.t = wide_matrix(both.fixed());
  made.q = wide_matrix(vectors.fixed());
  return made;
}

// Of symmetric or Hermitian a, whose lower part counts.
template <class T>
void host_eigh(dense_view<T const> a, dense_view<real_of<T>> w, dense_view<T> v) {
  std::int64_t const n = a.extent(0);
  constexpr bool of_complex = tessera::detail::is_complex_type<T>;
  if (lapack<T> && lapack_counts_eigh(n)) {
    scratch_matrix<T> vectors(a);
    std::vector<real_of<T>> values(static_cast<std::size_t>(n));
    lapack<T>->syevd(static_cast<int>(n), vectors.data(), values.data());
    for (std::int64_t i = 0; i < n; ++i) w(i) = values[i];
    copy_in_blocks(vectors.fixed(), v);
  } else if constexpr (!of_complex) {
    scratch_matrix<T> vectors(a);
    eigh(vectors.view(), w, v);
  } else {
    schur_form const made = schur_of(a);  // of a Hermitian matrix: the triangle is diagonal
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) order[i] = i;
    if (made.ended)
      std::sort(order.begin(), order.end(),
                [&](std::int64_t i, std::int64_t j) { return made.t(i, i).real() < made.t(j, j).real(); });
    else
      fill_matrix(v, not_a_number<T>());
    for (std::int64_t j = 0; j < n; ++j) {
      w(j) = made.ended ? static_cast<typename T::value_type>(made.t(order[j], order[j]).real()) : not_a_number<T>().re;
      for (std::int64_t i = 0; made.ended && i < n; ++i) v(i, j) = wide_matrix::rounded<T>(made.q(i, order[j]));
    }
  }
}

template <class T>
void host_schur(dense_view<T const> a, dense_view<complex_of<T>> t, dense_view<complex_of<T>> q) {
  schur_form const made = schur_of(a);
  if (made.ended) {
    made.t.round_to(t);
    made.q.round_to(q);
  } else {
    fill_matrix(t, not_a_number<complex_of<T>>());
    fill_matrix(q, not_a_number<complex_of<T>>());
  }
}

// q x q^H with x x = t: column by column, each from the diagonal up.
template <class T>
void host_sqrtm(dense_view<T const> a, dense_view<complex_of<T>> root) {
  using number = wide_matrix::number;
  schur_form const made = schur_of(a);
  if (!made.ended) return fill_matrix(root, not_a_number<complex_of<T>>());
  std::int64_t const n = a.extent(0);
  wide_matrix x(n, n);
  for (std::int64_t j = 0; j < n; ++j) {
    x(j, j) = std::sqrt(made.t(j, j));
    for (std::int64_t i = j - 1; i >= 0; --i) {
      number rest = made.t(i, j);
      for (std::int64_t k = i + 1; k < j; ++k) rest -= x(i, k) * x(k, j);
      x(i, j) = rest == 0.0 ? rest : rest / (x(i, i) + x(j, j));
    }
  }
  made.q.times(x).times(made.q.adjoint()).round_to(root);
}

// The x of a x + x b = c, by the Schur forms of a and b (Bartels and Stewart): NaN if a and -b have an eigenvalue in common.
template <class T>
void host_sylvester(dense_view<T const> a, dense_view<T const> b, dense_view<T const> c, dense_view<T> x) {
  using number = wide_matrix::number;
  schur_form const left = schur_of(a), right = schur_of(b);
  std::int64_t const m = c.extent(0), n = c.extent(1);
  bool found = left.ended && right.ended;
  for (std::int64_t i = 0; found && i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) found = found && std::abs(left.t(i, i) + right.t(j, j)) > 1e-8;
  if (!found) return fill_matrix(x, not_a_number<T>());
  wide_matrix y = left.q.adjoint().times(wide_matrix(c)).times(right.q);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = m - 1; i >= 0; --i) {
      number rest = y(i, j);
      for (std::int64_t k = i + 1; k < m; ++k) rest -= left.t(i, k) * y(k, j);
      for (std::int64_t k = 0; k < j; ++k) rest -= y(i, k) * right.t(k, j);
      y(i, j) = rest / (left.t(i, i) + right.t(j, j));
    }
  left.q.times(y).times(right.q.adjoint()).round_to(x);
}

}  // namespace tessera::ops::linalg
