// SPDX-License-Identifier: Apache-2.0
#pragma once
// A discrete Fourier transform of one length, of several lines at once: the lanes of V hold the same place of each
// line. A pass for each factor of the length (8, 4, 2, 3, 5, or a prime) goes from one array to another and sorts on
// its way (Stockham); the roots of unity are computed once, in double. A length with a large prime factor is a
// convolution of the next convenient length (Bluestein): n log n for all.

#include <tessera/aval/complex.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace tessera::ops::fourier {

template <class V>
struct cell {
  V re, im;
  friend TESSERA_INLINE cell operator+(cell const& a, cell const& b) { return {a.re + b.re, a.im + b.im}; }
  friend TESSERA_INLINE cell operator-(cell const& a, cell const& b) { return {a.re - b.re, a.im - b.im}; }
  template <class T>
  friend TESSERA_INLINE cell operator*(cell const& a, complex_number<T> const& w) {
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
  }
  template <class T>
  TESSERA_INLINE cell scaled(T by) const {
    return {re * by, im * by};
  }
  TESSERA_INLINE cell turned() const { return {im, -re}; }  // times -i
  TESSERA_INLINE cell swapped() const { return {im, re}; }  // between two of these a transform is the inverse one
};

// exp(-2 pi i k / n) for 0 <= k < n, from an angle of at most an eighth of a turn.
template <class T>
complex_number<T> root(std::int64_t k, std::int64_t n) {
  std::int64_t x = 8 * k;  // of 8 n
  bool const below = x > 4 * n;
  if (below) x = 8 * n - x;
  bool const left = x > 2 * n;
  if (left) x = 4 * n - x;
  bool const steep = x > n;
  if (steep) x = 2 * n - x;
  double const angle = std::numbers::pi * static_cast<double>(x) / (4 * static_cast<double>(n));
  double c = std::cos(angle), s = std::sin(angle);
  if (steep) std::swap(c, s);
  return {static_cast<T>(left ? -c : c), static_cast<T>(below ? s : -s)};
}

// a[k] becomes the sum of a[j] exp(-2 pi i j k / R).
template <int R, class T, class V>
TESSERA_INLINE void butterfly(cell<V>* a) {
  if constexpr (R == 2) {
    auto const b = a[1];
    a[1] = a[0] - b;
    a[0] = a[0] + b;
  } else if constexpr (R == 3) {
    constexpr T half = T(-0.5), high = T(0.86602540378443864676);
    auto const sum = a[1] + a[2], apart = (a[1] - a[2]).scaled(high).turned();
    auto const middle = a[0] + sum.scaled(half);
    a[0] = a[0] + sum;
    a[1] = middle + apart;
    a[2] = middle - apart;
  } else if constexpr (R == 4) {
    auto const p = a[0] + a[2], q = a[0] - a[2], r = a[1] + a[3], s = (a[1] - a[3]).turned();
    a[0] = p + r;
    a[1] = q + s;
    a[2] = p - r;
    a[3] = q - s;
  } else if constexpr (R == 5) {
    constexpr T c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410);
    constexpr T s1 = T(0.95105651629515357212), s2 = T(0.58778525229247312917);
    auto const p = a[1] + a[4], q = a[2] + a[3], r = a[1] - a[4], s = a[2] - a[3];
    auto const near = a[0] + p.scaled(c1) + q.scaled(c2), far = a[0] + p.scaled(c2) + q.scaled(c1);
    auto const one = (r.scaled(s1) + s.scaled(s2)).turned(), two = (r.scaled(s2) - s.scaled(s1)).turned();
    a[0] = a[0] + p + q;
    a[1] = near + one;
    a[2] = far + two;
    a[3] = far - two;
    a[4] = near - one;
  } else {
    static_assert(R == 8);
    constexpr T diagonal = T(0.70710678118654752440);
    cell<V> even[]{a[0], a[2], a[4], a[6]}, odd[]{a[1], a[3], a[5], a[7]};
    butterfly<4, T>(even);
    butterfly<4, T>(odd);
    odd[1] = (odd[1] + odd[1].turned()).scaled(diagonal);
    odd[2] = odd[2].turned();
    odd[3] = (odd[3].turned() - odd[3]).scaled(diagonal);
    for (int k = 0; k < 4; ++k) a[k] = even[k] + odd[k], a[k + 4] = even[k] - odd[k];
  }
}

template <class T>
class transform_plan {
public:
  using number = complex_number<T>;

  // of_real: the lines are halves of real ones of twice the length
  explicit transform_plan(std::int64_t n, bool of_real = false) : n_(n) {
    for (std::int64_t k = 0; of_real && 2 * k <= n; ++k) turns_.push_back(root<T>(k, 2 * n));
    if (largest_prime(n) > largest_direct) {
      convolve();
      return;
    }
    for (std::int64_t rest = n; rest > 1; rest /= passes_.back().radix) {
      int const radix = factor_of(rest);
      passes_.push_back({radix, static_cast<std::int64_t>(roots_.size())});
      for (std::int64_t k = 0; k < rest / radix; ++k)
        for (int j = 1; j < radix; ++j) roots_.push_back(root<T>(j * k, rest));
      if (radix <= 8 && radix != 7) continue;
      waves_[radix].clear();
      for (int j = 0; j < radix; ++j) waves_[radix].push_back(root<T>(j, radix));
    }
  }

  // Elements of each of the two arrays that `run` is given.
  std::int64_t length() const { return inner_ ? inner_->length() : n_; }

  // exp(-pi i k / n) for 2 k <= n.
  number const* turns() const { return turns_.data(); }

  // Transforms the n numbers in `from`, which is overwritten, as `other` is: returns the one with the result.
  template <class V>
  cell<V>* run(cell<V>* from, cell<V>* other) const {
    if (inner_) return convolved(from, other);
    std::int64_t n = n_, s = 1;
    for (auto const& p : passes_) {
      std::int64_t const m = n / p.radix;
      number const* const w = roots_.data() + p.roots;
      if (p.radix == 8)
        pass_of<8>(m, s, w, from, other);
      else if (p.radix == 4)
        pass_of<4>(m, s, w, from, other);
      else if (p.radix == 2)
        pass_of<2>(m, s, w, from, other);
      else if (p.radix == 3)
        pass_of<3>(m, s, w, from, other);
      else if (p.radix == 5)
        pass_of<5>(m, s, w, from, other);
      else
        pass_of_any(p.radix, m, s, w, from, other);
      std::swap(from, other);
      n = m, s *= p.radix;
    }
    return from;
  }

private:
  static constexpr int largest_direct = 61;  // a pass of a prime p costs n p
  struct pass {
    int radix;
    std::int64_t roots;
  };

  // The next pass's: eights while more than sixteen are left.
  static int factor_of(std::int64_t n) {
    if (n % 2 == 0) {
      int const twos = std::countr_zero(static_cast<std::uint64_t>(n));
      return twos > 4 || twos == 3 ? 8 : twos > 1 ? 4 : 2;
    }
    int p = 3;
    while (n % p != 0) p += 2;
    return p;
  }
  static std::int64_t largest_prime(std::int64_t n) {
    std::int64_t largest = 1;
    for (std::int64_t p = 2; n > 1; ++p)
      if (p * p > n)
        return std::max(largest, n);
      else
        for (; n % p == 0; n /= p) largest = p;
    return largest;
  }

  // other[s (R p + k) + q] = w^(p k) sum over j of from[s (p + j m) + q] exp(-2 pi i j k / R), q < s.
  template <int R, class V>
  TESSERA_NOINLINE static void pass_of(std::int64_t m, std::int64_t s, number const* w, cell<V> const* __restrict from,
                                       cell<V>* __restrict other) {
    group<R, false>(s, s * m, w, from, other);
    for (std::int64_t p = 1; p < m; ++p) group<R, true>(s, s * m, w + p * (R - 1), from + s * p, other + s * R * p);
  }
  template <int R, bool Turned, class V>
  TESSERA_INLINE static void group(std::int64_t s, std::int64_t apart, number const* roots, cell<V> const* from,
                                   cell<V>* other) {
    number w[R];
    for (int k = 1; k < R && Turned; ++k) w[k] = roots[k - 1];
    TESSERA_INDEPENDENT
    for (std::int64_t q = 0; q < s; ++q) one<R, Turned>(s, apart, w, from + q, other + q);
  }
  template <int R, bool Turned, class V>
  TESSERA_INLINE static void one(std::int64_t s, std::int64_t apart, number const* w, cell<V> const* from,
                                 cell<V>* other) {
    cell<V> a[R];
    for (int j = 0; j < R; ++j) a[j] = from[j * apart];
    butterfly<R, T>(a);
    other[0] = a[0];
    for (int k = 1; k < R; ++k)
      if constexpr (Turned)
        other[s * k] = a[k] * w[k];
      else
        other[s * k] = a[k];
  }
  template <class V>
  TESSERA_NOINLINE void pass_of_any(int radix, std::int64_t m, std::int64_t s, number const* w, cell<V> const* from,
                                    cell<V>* other) const {
    number const* const wave = waves_[radix].data();
    cell<V> sum[largest_direct / 2 + 1], apart[largest_direct / 2 + 1];
    for (std::int64_t p = 0; p < m; ++p, w += radix - 1)
      for (std::int64_t q = 0; q < s; ++q) {
        cell<V> const first = from[s * p + q];
        cell<V> all = first;
        cell<V>* const to = other + s * radix * p + q;
        for (int j = 1; j <= radix / 2; ++j) {
          cell<V> const a = from[s * (p + j * m) + q], b = from[s * (p + (radix - j) * m) + q];
          sum[j] = a + b, apart[j] = a - b;
          all = all + sum[j];
        }
        to[0] = all;
        for (int k = 1; k <= radix / 2; ++k) {
          cell<V> even = first, odd{};
          for (int j = 1, at = k; j <= radix / 2; ++j, at += at + k < radix ? k : k - radix) {
            even = even + sum[j].scaled(wave[at].re);
            odd = odd + apart[j].scaled(wave[at].im);
          }
          odd = cell<V>{-odd.im, odd.re};
          to[s * k] = (even + odd) * w[k - 1];
          to[s * (radix - k)] = (even - odd) * w[radix - k - 1];
        }
      }
  }

  // j k = (j^2 + k^2 - (k - j)^2) / 2: the transform is a convolution with exp(pi i j^2 / n), between factors.
  void convolve() {
    inner_ = std::make_unique<transform_plan>(convenient(2 * n_ - 1));
    std::int64_t const length = inner_->n_;
    std::vector<cell<T>> wave(static_cast<std::size_t>(length), cell<T>{}), other(wave);
    for (std::int64_t k = 0; k < n_; ++k) {
      number const w = root<T>(k * k % (2 * n_), 2 * n_);
      roots_.push_back(w);
      wave[k] = wave[k == 0 ? 0 : length - k] = {w.re, -w.im};
    }
    cell<T> const* const there = inner_->run(wave.data(), other.data());
    for (std::int64_t k = 0; k < length; ++k)
      kernel_.push_back({there[k].re / static_cast<T>(length), there[k].im / static_cast<T>(length)});
  }
  static std::int64_t convenient(std::int64_t least) {
    for (std::int64_t n = least;; ++n) {
      std::int64_t rest = n;
      for (int p : {2, 3, 5})
        while (rest % p == 0) rest /= p;
      if (rest == 1) return n;
    }
  }
  template <class V>
  cell<V>* convolved(cell<V>* from, cell<V>* other) const {
    std::int64_t const length = inner_->n_;
    for (std::int64_t k = 0; k < n_; ++k) from[k] = from[k] * roots_[k];
    for (std::int64_t k = n_; k < length; ++k) from[k] = cell<V>{};
    cell<V>* const there = inner_->run(from, other);
    for (std::int64_t k = 0; k < length; ++k) there[k] = (there[k] * kernel_[k]).swapped();
    cell<V>* const back = inner_->run(there, there == from ? other : from);
    for (std::int64_t k = 0; k < n_; ++k) back[k] = back[k].swapped() * roots_[k];
    return back;
  }

  std::int64_t n_;
  std::vector<pass> passes_;
  std::vector<number> roots_, turns_, kernel_, waves_[largest_direct + 1];
  std::unique_ptr<transform_plan> inner_;
};

}  // namespace tessera::ops::fourier
