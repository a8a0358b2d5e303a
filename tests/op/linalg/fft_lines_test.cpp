// SPDX-License-Identifier: Apache-2.0
// The transforms of lines that stand behind fft and its kin, against the sums that define them: all lengths to 70, powers
// and products of primes, primes large and small, one line and many, side by side and one behind the other.

#include <tessera/op/linalg/fft_host.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

namespace {

namespace fourier = tessera::ops::fourier;
using number = std::complex<double>;

// Numbers between -1 and 1 that repeat late.
double noise(std::int64_t i) {
  double const x = std::sin(static_cast<double>(i) * 12.9898) * 43758.5453;
  return 2 * (x - std::floor(x)) - 1;
}

std::vector<number> sums(std::vector<number> const& z, int sign) {
  auto const n = static_cast<std::int64_t>(z.size());
  std::vector<number> turn, out(z.size());
  for (std::int64_t k = 0; k < n; ++k)
    turn.push_back(std::polar(1.0, sign * 2 * 3.14159265358979323846 * double(k) / double(n)));
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j) out[std::size_t(k)] += z[std::size_t(j)] * turn[std::size_t(j * k % n)];
  return out;
}

// Steps of a block of `count` lines of n places: a line after the other, or place by place, with a gap.
struct steps {
  std::int64_t line, place;
  steps(std::int64_t count, std::int64_t n, bool beside) : line(beside ? 1 : n + 1), place(beside ? count + 2 : 1) {}
  std::size_t size(std::int64_t count, std::int64_t n) const { return std::size_t((count + 2) * (n + 2)); }
  std::size_t at(std::int64_t i, std::int64_t k) const { return std::size_t(i * line + k * place); }
};

struct apart {
  double most = 0;
  void add(std::vector<number> const& want, auto const& got) {
    double largest = 1e-300, difference = 0;
    for (std::size_t k = 0; k < want.size(); ++k) {
      largest = std::fmax(largest, std::abs(want[k]));
      difference = std::fmax(difference, std::abs(want[k] - number(got(std::int64_t(k)))));
    }
    most = std::fmax(most, difference / largest);
  }
};

template <class T>
double check(std::int64_t n, std::int64_t count, bool beside) {
  using element = tessera::complex_number<T>;
  apart worst;
  auto const value = [](element const& z) { return number(z.re, z.im); };
  T const scale = T(0.75);
  steps const whole(count, n, beside), half(count, n / 2 + 1, beside);
  std::vector<element> z(whole.size(count, n)), there(z.size(), element{7, 7});
  std::vector<T> x(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = {static_cast<T>(noise(std::int64_t(2 * i))), static_cast<T>(noise(std::int64_t(2 * i + 1)))};
    x[i] = static_cast<T>(noise(std::int64_t(3 * i + 5)));
  }
  for (bool inverse : {false, true}) {
    fourier::complex_to_complex<T>({count, n, whole.line, whole.place, whole.line, whole.place}, z.data(), there.data(),
                                   inverse, scale);
    for (std::int64_t i = 0; i < count; ++i) {
      std::vector<number> line;
      for (std::int64_t k = 0; k < n; ++k) line.push_back(0.75 * value(z[whole.at(i, k)]));
      worst.add(sums(line, inverse ? 1 : -1), [&](std::int64_t k) { return value(there[whole.at(i, k)]); });
    }
  }
  std::vector<element> spectrum(half.size(count, n / 2 + 1));
  fourier::real_to_complex<T>({count, n, whole.line, whole.place, half.line, half.place}, x.data(), spectrum.data(),
                              scale);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<number> line;
    for (std::int64_t k = 0; k < n; ++k) line.push_back(0.75 * double(x[whole.at(i, k)]));
    auto want = sums(line, -1);
    want.resize(std::size_t(n / 2 + 1));
    worst.add(want, [&](std::int64_t k) { return value(spectrum[half.at(i, k)]); });
  }
  for (auto& w : spectrum) w = {w.im + T(0.5), w.re};  // now imaginary where a spectrum of real numbers is not
  std::vector<T> back(z.size(), T(7));
  fourier::complex_to_real<T>({count, n, half.line, half.place, whole.line, whole.place}, spectrum.data(), back.data(),
                              scale);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<number> line(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k <= n / 2; ++k) {
      number const w = 0.75 * value(spectrum[half.at(i, k)]);
      line[std::size_t(k)] = k == 0 || 2 * k == n ? w.real() : w;
      if (k > 0 && 2 * k < n) line[std::size_t(n - k)] = std::conj(w);
    }
    worst.add(sums(line, 1), [&](std::int64_t k) { return back[whole.at(i, k)]; });
  }
  return worst.most;
}

template <class T>
void check_all(std::int64_t n, std::initializer_list<int> counts, double allowed) {
  for (int count : counts)
    for (bool beside : {false, true})
      EXPECT_LE(check<T>(n, count, beside), allowed) << n << " x " << count << (beside ? " side by side" : "");
}

TEST(fft_lines, all_small_lengths) {
  for (std::int64_t n = 1; n <= 70; ++n) {
    check_all<float>(n, {1, 2, 3, 8, 19}, 2e-6);
    check_all<double>(n, {1, 2, 5, 11}, 4e-15);
  }
}
TEST(fft_lines, powers_products_and_primes) {
  for (std::int64_t n : {97, 121, 127, 128, 134, 201, 256, 343, 360, 509, 512, 521, 1000, 1009}) {
    check_all<float>(n, {1, 17}, 2e-6);
    check_all<double>(n, {3}, 1e-14);
  }
}
TEST(fft_lines, long_lines) {
  check_all<float>(4096, {1}, 2e-6);
  check_all<double>(4096, {2}, 2e-14);
  check_all<double>(4095, {1}, 2e-14);
}

}  // namespace
