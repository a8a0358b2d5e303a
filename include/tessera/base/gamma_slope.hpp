// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a number x of the gamma distribution of shape a changes with a while its rank among all of them stays: -(dP/da) / (dP/dx)
// of the distribution function P(a, x), divided by x; in double. By one of three forms, each a sum of numbers of one sign:
//   x <= a, or small    the series of P, differentiated term by term (Figurnov and others 2018)
//   x > a               Legendre's continued fraction of 1 - P, differentiated step by step
//   a > 128, x near it  powers of 1 / a, whose coefficients follow from the continuity equation of the density in a and x
// Relative error at most 2e-13, tests/base/gamma_slope_test.cpp; NaN where a <= 0 or x < 0.

#include <tessera/base/config.hpp>

#include <cmath>
#include <limits>

namespace tessera::math {
namespace detail {

// The logarithmic derivative of the gamma function, a > 0.
TESSERA_FUNCTION inline double digamma(double a) {
  double less = 0;
  for (; a < 10; a += 1) less += 1 / a;
  double const r = 1 / (a * a);
  double const tail =
      r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760))))));
  return std::log(a) - 0.5 / a - tail - less;
}

TESSERA_FUNCTION inline double gamma_slope_below(double x, double log_x, double a) {
  double term = 1, sum = 1, places = 0, slopes = 0;
  for (double n = 1; n < 10000; ++n) {
    term *= x / (a + n);
    places += 1 / (a + n);
    sum += term;
    slopes += term * places;
    if (term * (1 + places) < 1e-17 * sum && x < a + n) break;
  }
  return (sum * (digamma(a + 1) - log_x) + slopes) / a;
}

// A number and its derivative by a.
struct with_slope {
  double value, slope;
};
// 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))) is (1 - P) over the density, by x.
TESSERA_FUNCTION inline double gamma_slope_above(double x, double log_x, double a) {
  // Lentz: `ahead` is what would stand under the next fraction, `behind` one over what the last one has under it.
  with_slope ahead{x + 1 - a, -1};
  with_slope behind{1 / ahead.value, 1 / (ahead.value * ahead.value)};
  with_slope all = behind;
  ahead = {1e300, 0};
  for (double n = 1; n < 10000; ++n) {
    double const above = n * (a - n), under = x + 2 * n + 1 - a;
    double const full = under + above * behind.value, full_slope = n * behind.value + above * behind.slope - 1;
    behind = {1 / full, -full_slope / (full * full)};
    double const next = under + above / ahead.value,
                 next_slope = (n - above * ahead.slope / ahead.value) / ahead.value - 1;
    ahead = {next, next_slope};
    double const factor = next * behind.value, factor_slope = next_slope * behind.value + next * behind.slope;
    all = {all.value * factor, all.slope * factor + all.value * factor_slope};
    if (std::fabs(factor - 1) < 1e-16 && std::fabs(all.value * factor_slope) <= 1e-16 * std::fabs(all.slope)) break;
  }
  return all.value * (log_x - digamma(a)) + all.slope;
}

// With t = x / a - 1: dx/da = g0(t) + g1(t) / a + g2(t) / a^2 ..., where g0 = (1 + t) log(1 + t) / t and, since the density p
// obeys dp/da + d(p dx/da)/dx = 0,  t g_k = (1 + t) (g_(k-1)' + e_k) - g_(k-1)  with e_k from log a - digamma(a).
struct gamma_slope_table {
  static constexpr int orders = 7, powers = 44;
  double of[orders][powers]{};
  constexpr gamma_slope_table() {
    constexpr double e[orders]{0, 1.0 / 2, 1.0 / 12, 0, -1.0 / 120, 0, 1.0 / 252};
    double now[powers + 2 * orders]{1}, next[powers + 2 * orders]{};
    for (int j = 1; j < powers + 2 * orders; ++j) now[j] = (j % 2 ? 1.0 : -1.0) / (j * (j + 1.0));
    for (int k = 0; k < orders; ++k) {
      for (int j = 0; j < powers; ++j) of[k][j] = now[j];
      int const known = powers + 2 * (orders - 1 - k);
      if (k + 1 == orders) break;
      for (int j = 0; j < known; ++j) next[j] = (j + 2) * now[j + 2] + j * now[j + 1] + (j == 0 ? e[k + 1] : 0);
      for (int j = 0; j < known; ++j) now[j] = next[j];
    }
  }
};

TESSERA_FUNCTION inline double gamma_slope_near(double x, double a) {
  constexpr gamma_slope_table table{};
  double const t = (x - a) / a;
  double all = 0;
  for (int k = gamma_slope_table::orders - 1; k >= 0; --k) {
    double sum = 0;
    for (int j = gamma_slope_table::powers - 1; j >= 0; --j) sum = sum * t + table.of[k][j];
    all = all / a + sum;
  }
  return all / x;
}

}  // namespace detail

// dx/da / x, of log x: an x that is too small for a number has one, too.
template <class T>
TESSERA_FUNCTION inline T gamma_slope(T logarithm, T shape) {
  double const log_x = logarithm, a = shape, x = std::exp(log_x);
  double slope = std::numeric_limits<double>::quiet_NaN();
  if (a > 0 && log_x == log_x) {
    if (a > 128 && std::fabs(x - a) < 0.3 * a)
      slope = detail::gamma_slope_near(x, a);
    else if (x <= a || x <= 1)
      slope = detail::gamma_slope_below(x, log_x, a);
    else
      slope = detail::gamma_slope_above(x, log_x, a);
  }
  return static_cast<T>(slope);
}

}  // namespace tessera::math
