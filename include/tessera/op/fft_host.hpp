// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fourier transforms of lines on the host: by pocketfft where the build has it, else by the mixed-radix transform here,
// whose cost is n times the sum of n's prime factors.

#include <tessera/aval/complex.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tessera::ops::fourier {

// Lines side by side, with steps in elements of their type. n: of the real line where one side is real.
struct lines {
  std::int64_t count, n;
  std::int64_t in_line, in_step, out_line, out_step;
};

// A library's functions for T; both directions are unnormalised, then multiplied by `scale`.
template <class T>
struct functions {
  void (*complex_to_complex)(lines const&, complex_number<T> const* in, complex_number<T>* out, bool inverse, T scale);
  void (*real_to_complex)(lines const&, T const* in, complex_number<T>* out, T scale);  // the first n / 2 + 1
  void (*complex_to_real)(lines const&, complex_number<T> const* in, T* out, T scale);
};
// Filled in by exec/pocketfft.hpp before main; null without it.
template <class T>
inline functions<T> const* library = nullptr;

// The transform of any length: for each prime factor p a pass of sums of p terms.
template <class T>
class mixed_radix {
public:
  using number = complex_number<T>;

  explicit mixed_radix(std::int64_t n) : n_(n), roots_(static_cast<std::size_t>(n)) {
    for (std::int64_t k = 0; k < n; ++k) {
      double const turn = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      roots_[static_cast<std::size_t>(k)] = {static_cast<T>(std::cos(turn)), static_cast<T>(std::sin(turn))};
    }
    for (std::int64_t rest = n, p = 2; rest > 1; rest /= p) {
      while (rest % p != 0) p = p * p > rest ? rest : p + 1;
      if (p > static_cast<std::int64_t>(terms_.size())) terms_.resize(static_cast<std::size_t>(p));
    }
  }

  // out[k] = sum of in[j * step] w^(jk), w = exp(-2 pi i / n). in and out are apart.
  void forward(number const* in, std::int64_t step, number* out) { pass(n_, in, step, out); }

private:
  static std::int64_t factor_of(std::int64_t n) {
    for (std::int64_t p = 2; p * p <= n; ++p)
      if (n % p == 0) return p;
    return n;
  }
  void pass(std::int64_t n, number const* in, std::int64_t step, number* out) {
    if (n == 1) {
      out[0] = in[0];
      return;
    }
    std::int64_t const p = factor_of(n), m = n / p, stride = n_ / n;
    for (std::int64_t r = 0; r < p; ++r) pass(m, in + r * step, step * p, out + r * m);
    for (std::int64_t k = 0; k < m; ++k) {
      for (std::int64_t r = 0; r < p; ++r)
        terms_[static_cast<std::size_t>(r)] = out[r * m + k] * roots_[static_cast<std::size_t>(r * k * stride)];
      if (p == 2) {
        out[k] = terms_[0] + terms_[1];
        out[k + m] = terms_[0] - terms_[1];
        continue;
      }
      for (std::int64_t q = 0; q < p; ++q) {
        number sum = terms_[0];
        for (std::int64_t r = 1; r < p; ++r)
          sum += terms_[static_cast<std::size_t>(r)] * roots_[static_cast<std::size_t>(r * q % p * (n_ / p))];
        out[q * m + k] = sum;
      }
    }
  }

  std::int64_t n_;
  std::vector<number> roots_, terms_{4};
};

// A length's roots stay for the next call of this thread.
template <class T>
mixed_radix<T>& plan_of(std::int64_t n) {
  thread_local std::int64_t length = -1;
  thread_local mixed_radix<T> plan{1};
  if (length != n) plan = mixed_radix<T>(n), length = n;
  return plan;
}

template <class T>
void complex_to_complex(lines const& l, complex_number<T> const* in, complex_number<T>* out, bool inverse, T scale) {
  if (library<T>) return library<T>->complex_to_complex(l, in, out, inverse, scale);
  auto& plan = plan_of<T>(l.n);
  std::vector<complex_number<T>> from(static_cast<std::size_t>(l.n)), to(from.size());
  for (std::int64_t i = 0; i < l.count; ++i) {
    for (std::int64_t k = 0; k < l.n; ++k) {
      complex_number<T> const z = in[i * l.in_line + k * l.in_step];
      from[static_cast<std::size_t>(k)] = {z.re, inverse ? -z.im : z.im};
    }
    plan.forward(from.data(), 1, to.data());
    for (std::int64_t k = 0; k < l.n; ++k) {
      complex_number<T> const z = to[static_cast<std::size_t>(k)];
      out[i * l.out_line + k * l.out_step] = {scale * z.re, scale * (inverse ? -z.im : z.im)};
    }
  }
}

template <class T>
void real_to_complex(lines const& l, T const* in, complex_number<T>* out, T scale) {
  if (library<T>) return library<T>->real_to_complex(l, in, out, scale);
  auto& plan = plan_of<T>(l.n);
  std::vector<complex_number<T>> from(static_cast<std::size_t>(l.n)), to(from.size());
  for (std::int64_t i = 0; i < l.count; ++i) {
    for (std::int64_t k = 0; k < l.n; ++k) from[static_cast<std::size_t>(k)] = in[i * l.in_line + k * l.in_step];
    plan.forward(from.data(), 1, to.data());
    for (std::int64_t k = 0; k <= l.n / 2; ++k)
      out[i * l.out_line + k * l.out_step] = to[static_cast<std::size_t>(k)] * complex_number<T>(scale);
  }
}

// The other half of the line is the conjugate of this one; imaginary parts where it meets itself are ignored.
template <class T>
void complex_to_real(lines const& l, complex_number<T> const* in, T* out, T scale) {
  if (library<T>) return library<T>->complex_to_real(l, in, out, scale);
  auto& plan = plan_of<T>(l.n);
  std::vector<complex_number<T>> from(static_cast<std::size_t>(l.n)), to(from.size());
  for (std::int64_t i = 0; i < l.count; ++i) {
    for (std::int64_t k = 0; k <= l.n / 2;
         ++k) {  // conjugated on the way: the forward transform gives the inverse one's
      complex_number<T> const z = in[i * l.in_line + k * l.in_step];
      bool const meets = k == 0 || 2 * k == l.n;
      from[static_cast<std::size_t>(k)] = {z.re, meets ? T(0) : -z.im};
      if (!meets) from[static_cast<std::size_t>(l.n - k)] = z;
    }
    plan.forward(from.data(), 1, to.data());
    for (std::int64_t k = 0; k < l.n; ++k)
      out[i * l.out_line + k * l.out_step] = scale * to[static_cast<std::size_t>(k)].re;
  }
}

}  // namespace tessera::ops::fourier
