// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fourier transforms of lines on the host, as many together as a vector register has lanes. A real line of even length
// is a complex one of half the length; two real lines of odd length are the parts of one complex line. Transforms in
// both directions are unnormalized, then multiplied by `scale`.

#include <tessera/base/vector.hpp>
#include <tessera/op/linalg/fft_passes.hpp>
#include <tessera/op/linalg/kernels.hpp>

#include <array>
#include <cstdlib>
#include <mutex>
#include <type_traits>

namespace tessera::ops::fourier {

// A length's plan, of the last 16 that this process has used.
template <class T>
std::shared_ptr<transform_plan<T> const> plan_of(std::int64_t n, bool of_real) {
  struct kept {
    std::int64_t n = 0, used = 0;
    bool of_real = false;
    std::shared_ptr<transform_plan<T> const> plan;
  };
  static std::mutex one_at_a_time;
  static std::array<kept, 16> all;
  static std::int64_t calls = 0;
  std::lock_guard const lock(one_at_a_time);
  kept* oldest = &all[0];
  for (kept& k : all) {
    if (k.n == n && k.of_real == of_real) return k.used = ++calls, k.plan;
    if (k.used < oldest->used) oldest = &k;
  }
  *oldest = {n, ++calls, of_real, std::make_shared<transform_plan<T> const>(n, of_real)};
  return oldest->plan;
}

// The transforms of up to as many lines as V has lanes.
template <class T, class V>
class side_by_side {
public:
  using number = complex_number<T>;
  static constexpr int lanes = sizeof(V) / sizeof(T);

  // halved: for real lines of an even length
  side_by_side(lines const& l, T scale, bool halved)
      : l_(l),
        scale_(scale),
        length_(halved ? l.n / 2 : l.n),
        plan_(plan_of<T>(length_, halved)),
        memory_(new cell<V>[2 * (plan_->length() + 1)]),
        from_(memory_.get()),
        other_(from_ + plan_->length() + 1) {}

  void complex_to_complex(number const* in, number* out, int count, bool inverse) {
    load(in, count, length_, inverse);
    store(plan_->run(from_, other_), out, count, length_, inverse);
  }

  // X[k] = (Z[k] + Z'[h - k]) / 2 - i w^k (Z[k] - Z'[h - k]) / 2 with z[k] = x[2 k] + i x[2 k + 1], h = n / 2, '
  // conjugate.
  void even_to_complex(T const* in, number* out, int count) {
    std::int64_t const h = length_;
    load(in, count, h);
    cell<V>* const z = plan_->run(from_, other_);
    z[h] = {z[0].re - z[0].im, V{}};
    z[0] = {z[0].re + z[0].im, V{}};
    auto const* const w = plan_->turns();
    for (std::int64_t k = 1; 2 * k <= h; ++k) {
      cell<V> const a = z[k], b = conjugate(z[h - k]);
      cell<V> const even = (a + b).scaled(T(0.5)), odd = ((a - b) * w[k]).turned().scaled(T(0.5));
      z[k] = even + odd;
      if (2 * k < h) z[h - k] = conjugate(even - odd);
    }
    store(z, out, count, h + 1, false);
  }
  // The inverse, times two: Z[k] = X[k] + X'[h - k] + i w^-k (X[k] - X'[h - k]).
  void complex_to_even(number const* in, T* out, int count) {
    std::int64_t const h = length_;
    load(in, count, h + 1, false);
    V const first = from_[0].re, last = from_[h].re;
    from_[0] = {first - last, first + last};
    auto const* const w = plan_->turns();
    for (std::int64_t k = 1; 2 * k <= h; ++k) {
      cell<V> const a = from_[k], b = conjugate(from_[h - k]);
      cell<V> const even = a + b, odd = conjugate((conjugate(a - b) * w[k]).turned());
      from_[k] = (even + odd).swapped();
      if (2 * k < h) from_[h - k] = conjugate(even - odd).swapped();
    }
    store(plan_->run(from_, other_), out, count, h);
  }

  // The first `count` lines are the real parts, `more` lines behind them the imaginary ones.
  void odd_to_complex(T const* in, number* out, int count, int more) {
    std::int64_t const n = length_;
    T const* const second = in + count * l_.in_line;
    for (std::int64_t k = 0; k < n; ++k)
      from_[k] = {read(in + k * l_.in_step, l_.in_line, count), read(second + k * l_.in_step, l_.in_line, more)};
    cell<V> const* const z = plan_->run(from_, other_);
    for (std::int64_t k = 0; k <= n / 2; ++k) {
      cell<V> const a = z[k], b = conjugate(z[k == 0 ? 0 : n - k]);
      number* const to = out + k * l_.out_step;
      write((a + b).scaled(T(0.5) * scale_), to, l_.out_line, count);
      write((a - b).turned().scaled(T(0.5) * scale_), to + count * l_.out_line, l_.out_line, more);
    }
  }
  void complex_to_odd(number const* in, T* out, int count, int more) {
    std::int64_t const n = length_;
    number const* const second = in + count * l_.in_line;
    for (std::int64_t k = 0; k <= n / 2; ++k) {
      cell<V> a = read(in + k * l_.in_step, l_.in_line, count), b = read(second + k * l_.in_step, l_.in_line, more);
      if (k == 0) a.im = b.im = V{};
      from_[k] = cell<V>{a.re - b.im, a.im + b.re}.swapped();
      if (k > 0) from_[n - k] = cell<V>{a.re + b.im, b.re - a.im}.swapped();
    }
    cell<V> const* const z = plan_->run(from_, other_);
    for (std::int64_t k = 0; k < n; ++k) {
      cell<V> const x = z[k].scaled(scale_);
      write(x.im, out + k * l_.out_step, l_.out_line, count);
      write(x.re, out + count * l_.out_line + k * l_.out_step, l_.out_line, more);
    }
  }

private:
  static cell<V> conjugate(cell<V> const& z) { return {z.re, -z.im}; }
  static T& lane(V& v, int l) { return reinterpret_cast<T*>(&v)[l]; }
  static T lane(V const& v, int l) { return reinterpret_cast<T const*>(&v)[l]; }

  // Moves pairs of numbers, the second `second` behind the first, of lines that are `line` apart, to and from cells. If
  // a line's pairs are closer to each other than lines are, a cache line of one line after the other is moved: lines a
  // power of two apart evict each other.
  static constexpr std::int64_t block = 32 / sizeof(T);
  void load(T const* x, std::int64_t line, std::int64_t pair, std::int64_t second, int count, std::int64_t pairs) {
    if (std::abs(line) < std::abs(pair)) {
      for (std::int64_t k = 0; k < pairs; ++k)
        from_[k] = {read(x + k * pair, line, count), read(x + k * pair + second, line, count)};
      return;
    }
    if (count < lanes) std::fill_n(from_, pairs, cell<V>{});
    for (std::int64_t k0 = 0; k0 < pairs; k0 += block)
      for (int l = 0; l < count; ++l) {
        T const* const from = x + l * line;
        for (std::int64_t k = k0, end = std::min(k0 + block, pairs); k < end; ++k)
          lane(from_[k].re, l) = from[k * pair], lane(from_[k].im, l) = from[k * pair + second];
      }
  }
  // Times scale_.
  void store(cell<V> const* from, T* x, std::int64_t line, std::int64_t pair, std::int64_t second, int count,
             std::int64_t pairs) const {
    if (std::abs(line) < std::abs(pair)) {
      for (std::int64_t k = 0; k < pairs; ++k) {
        cell<V> const z = from[k].scaled(scale_);
        write(z.re, x + k * pair, line, count);
        write(z.im, x + k * pair + second, line, count);
      }
      return;
    }
    for (std::int64_t k0 = 0; k0 < pairs; k0 += block)
      for (int l = 0; l < count; ++l) {
        T* const to = x + l * line;
        for (std::int64_t k = k0, end = std::min(k0 + block, pairs); k < end; ++k)
          to[k * pair] = lane(from[k].re, l) * scale_, to[k * pair + second] = lane(from[k].im, l) * scale_;
      }
  }
  void load(number const* z, int count, std::int64_t n, bool swapped) {
    load(reinterpret_cast<T const*>(z) + swapped, 2 * l_.in_line, 2 * l_.in_step, swapped ? -1 : 1, count, n);
  }
  void store(cell<V> const* from, number* z, int count, std::int64_t n, bool swapped) const {
    store(from, reinterpret_cast<T*>(z) + swapped, 2 * l_.out_line, 2 * l_.out_step, swapped ? -1 : 1, count, n);
  }
  void load(T const* x, int count, std::int64_t n) { load(x, l_.in_line, 2 * l_.in_step, l_.in_step, count, n); }
  // A pair's second number first.
  void store(cell<V> const* from, T* x, int count, std::int64_t n) const {
    store(from, x + l_.out_step, l_.out_line, 2 * l_.out_step, -l_.out_step, count, n);
  }

  // x(0), x(1), ..., all lanes together: g++ 12 takes a register that is filled lane by lane for uninitialized.
  template <class X, int... L>
  static V filled(X const& x, std::integer_sequence<int, L...>) {
    return V{x(L)...};
  }
  using each_lane = std::make_integer_sequence<int, lanes>;
  static V read(T const* x, std::int64_t step, int count) {
    if (count == lanes) return filled([&](int l) { return x[l * step]; }, each_lane{});
    V v{};
    for (int l = 0; l < count; ++l) lane(v, l) = x[l * step];
    return v;
  }
  static cell<V> read(number const* z, std::int64_t step, int count) {
    if (count == lanes)
      return {filled([&](int l) { return z[l * step].re; }, each_lane{}),
              filled([&](int l) { return z[l * step].im; }, each_lane{})};
    cell<V> c{};
    for (int l = 0; l < count; ++l) lane(c.re, l) = z[l * step].re, lane(c.im, l) = z[l * step].im;
    return c;
  }
  static void write(V const& v, T* x, std::int64_t step, int count) {
    if (count == lanes)
      for (int l = 0; l < lanes; ++l) x[l * step] = lane(v, l);
    else
      for (int l = 0; l < count; ++l) x[l * step] = lane(v, l);
  }
  static void write(cell<V> const& c, number* z, std::int64_t step, int count) {
    if (count == lanes)
      for (int l = 0; l < lanes; ++l) z[l * step] = {lane(c.re, l), lane(c.im, l)};
    else
      for (int l = 0; l < count; ++l) z[l * step] = {lane(c.re, l), lane(c.im, l)};
  }

  lines l_;
  T scale_;
  std::int64_t length_;
  std::shared_ptr<transform_plan<T> const> plan_;
  std::unique_ptr<cell<V>[]> memory_;
  cell<V>*from_, *other_;
};

// f(the transforms, the first line, lines, lines behind them) for groups of lines: `parts` register fulls, the rest one
// by one.
template <class T, class F>
void grouped(lines const& l, T scale, bool halved, int parts, F const& f) {
  using wide = side_by_side<T, typename tessera::detail::vector_of<T>::type>;
  auto const each = [&]<class S>(std::type_identity<S>, std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    S transforms(l, scale, halved);
    for (std::int64_t i = from; i < to; i += parts * S::lanes) {
      auto const rest = static_cast<int>(std::min<std::int64_t>(to - i, parts * S::lanes));
      int const count = std::min(rest, S::lanes);
      f(transforms, i, count, rest - count);
    }
  };
  std::int64_t const left = l.count % (parts * wide::lanes), whole = left <= parts ? l.count - left : l.count;
  each(std::type_identity<wide>{}, 0, whole);
  each(std::type_identity<side_by_side<T, T>>{}, whole, l.count);
}

template <class T>
void complex_to_complex(lines const& l, complex_number<T> const* in, complex_number<T>* out, bool inverse, T scale) {
  grouped<T>(l, scale, false, 1, [&](auto& group, std::int64_t i, int count, int) {
    group.complex_to_complex(in + i * l.in_line, out + i * l.out_line, count, inverse);
  });
}

template <class T>
void real_to_complex(lines const& l, T const* in, complex_number<T>* out, T scale) {
  bool const even = l.n % 2 == 0;
  grouped<T>(l, scale, even, even ? 1 : 2, [&](auto& group, std::int64_t i, int count, int more) {
    if (even)
      group.even_to_complex(in + i * l.in_line, out + i * l.out_line, count);
    else
      group.odd_to_complex(in + i * l.in_line, out + i * l.out_line, count, more);
  });
}

// The other half of the line is the conjugate of this one; imaginary parts where it meets itself are ignored.
template <class T>
void complex_to_real(lines const& l, complex_number<T> const* in, T* out, T scale) {
  bool const even = l.n % 2 == 0;
  grouped<T>(l, scale, even, even ? 1 : 2, [&](auto& group, std::int64_t i, int count, int more) {
    if (even)
      group.complex_to_even(in + i * l.in_line, out + i * l.out_line, count);
    else
      group.complex_to_odd(in + i * l.in_line, out + i * l.out_line, count, more);
  });
}

}  // namespace tessera::ops::fourier
