// SPDX-License-Identifier: Apache-2.0
#pragma once
// Incomplete gamma functions: a, x -> one value for each pair, in the merged layout; float32 or float64.
//   gammainc(a, x): the share of the integral of t^(a - 1) exp(-t) that lies below x   gammaincc(a, x): above x
//   igamma(a, x), igammac(a, x): other names   igamma_grad_a(a, x): the slope of gammainc by a
// Elementwise: moves 0 bytes. The slope by x is x^(a - 1) exp(-x) / gamma(a), that by a comes from the formulas below.
//   a >= 12 and x near a: Temme's uniform expansion (DLMF 8.12), whose coefficients obey a recurrence for each a
//   x <= a or x < 1.5: the series 8.11.4; 1 minus it is not taken where x < 1.5 and a < 1.5, where it may be small
//   else: the continued fraction 8.9.2 from its end, so many terms that more change nothing
// All are computed for each element, with a fixed number of turns: nothing depends on values. Error: tests/functions.
// Source: JAX 0.10.2 jax.scipy.special, jax.lax; DLMF chapter 8; N. M. Temme, The asymptotic expansion of the incomplete
// gamma functions, 1979. Differs: gammainc(0, x) is 1 for all x > 0, gammainc(inf, x) is 0.

#include <tessera/control/control.hpp>
#include <tessera/functions/chebyshev.hpp>
#include <tessera/transform/jvp.hpp>

#include <array>

namespace tessera {
namespace detail::bodies {

// log(gamma(1 + a)) / a of a = 0.75 (u + 1).
inline constexpr double log_gamma_1p[]{
    -0.15209263771660186,    0.37725823978509915,    -0.040553436459911274,   0.006048374356480982,
    -0.0010301407799999565,  0.00018818398569440947, -3.586222243014715e-05,  7.0272313088072596e-06,
    -1.4041467356128028e-06, 2.8463664711028157e-07, -5.8339553914234415e-08, 1.2062444949818268e-08,
    -2.5119003035722097e-09, 5.261953371276932e-10,  -1.1078432175882884e-10, 2.34257360595509e-11,
    -4.972232035202466e-12,  1.0589078693591086e-12, -2.2617962178670191e-13, 4.843993129762763e-14,
    -1.039908580476757e-14,  2.2373382425661662e-15, -4.823135393927262e-16,  1.0416358160229802e-16,
    -2.2533429741433158e-17};

// Whether x is above 0 and finite.
constexpr auto is_positive(auto const& x) { return logical_and(x > 0, isfinite(x)); }
// Of mu and 1 + mu: mu - log1p(mu), which is 0 at 0, and the square root of its double with the sign of mu.
template <class X>
constexpr auto log_distance(X const& mu, X const& ratio) {
  auto const near = abs(mu) < 0.5;
  auto const m = where(near, mu, 0.25);
  auto const s = m / (m + 2.0);
  auto const r = square(s);
  constexpr int terms = in_double<X> ? 17 : 8;
  auto series = 0.0 * r;
  for (int k = terms; k >= 0; --k) series = series * r + 1.0 / (2 * k + 3);  // of (atanh(s) - s) / s^3
  auto const over_square = (1.0 - 2.0 * series * s / (m + 2.0)) / (m + 2.0);
  auto const far = mu - log(where(near, 1.0, ratio));
  auto const root = sqrt(2.0 * where(near, 1.0, far));
  return std::tuple{where(near, over_square * square(m), far),
                    where(near, m * sqrt(2.0 * over_square), where(mu < 0, -root, root))};
}
// log of gamma(a) / (sqrt(2 pi / a) (a / e)^a), a > 0: what Stirling's formula leaves.
constexpr auto log_beyond_stirling(auto const& a) {
  auto const large = a >= 12.0;
  auto const above = where(large, a, 12.0);
  auto const below = where(large, 1.0, a);
  auto const r = 1.0 / square(above);
  auto const series = polynomial(r, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360) / above;
  auto const rest = gammaln{}(below) - ((below - 0.5) * log(below) - below + log_of_root_two_pi);
  return where(large, series, rest);
}

// eta / mu of mu - log1p(mu) = eta^2 / 2 as a series in eta: that of mu by mu mu' = eta (1 + mu), then its quotient.
inline constexpr auto temme = [] {
  constexpr int n = 32;
  std::array<double, n + 2> mu{0, 1};
  for (int k = 2; k < n + 2; ++k) {
    double sum = 0;
    for (int i = 2; i < k; ++i) sum += mu[i] * mu[k + 1 - i];
    mu[k] = (2 * mu[k - 1] / (k + 1) - sum) / 2;
  }
  std::array<double, n> of{1};
  for (int k = 1; k < n; ++k)
    for (int i = 1; i <= k; ++i) of[k] -= mu[i + 1] * of[k - i];
  return of;
}();

// What the other functions of x > 0, a > 0 share, where = (h, eta) is log_distance of x / a.
template <class A>
struct gamma_at {
  A a, x, h, eta;
  constexpr auto density() const {  // x^a exp(-x) / gamma(a)
    return exp(-a * h - log_beyond_stirling(a)) * sqrt(a) * 0.39894228040143267794;
  }
  // With the factor exp(-a h) / sqrt(2 pi a): gammaincc minus half of erfc(eta sqrt(a / 2)), for abs(eta) <= 1.
  constexpr auto uniform_rest() const {
    constexpr int n = in_double<A> ? 27 : 14;
    auto const r = 1.0 / a;
    auto sum = 0.0 * r;
    auto last = sum;
    auto before = sum;
    for (int k = n; k >= 0; --k) {
      auto const next = temme[k + 1] + (k + 2.0) * r * before;
      sum = sum * eta + next;
      before = last;
      last = next;
    }
    return sum / (1.0 + before * r);
  }
};
template <class A>
constexpr auto gamma_at_of(A const& a, A const& x) {
  auto const both = log_distance((x - a) / a, x / a);
  return gamma_at<A>{a, x, std::get<0>(both), std::get<1>(both)};
}

template <bool Upper>
struct incomplete_gamma_value {
  template <class A>
  constexpr auto operator()(A const& given_a, A const& given_x) const {
    constexpr int turns = in_double<A> ? 60 : 26;
    auto const usual = logical_and(is_positive(given_a), is_positive(given_x));
    auto const a = where(usual, given_a, 1.0);
    auto const x = where(usual, given_x, 1.0);
    auto const at = gamma_at_of(a, x);
    auto const uniform = logical_and(a >= 12.0, at.h <= 0.5);
    auto const below = logical_or(x <= a, x < 1.5);
    auto const by_series = logical_and(below, logical_not(uniform));
    auto const by_fraction = logical_not(logical_or(below, uniform));

    auto const sa = where(by_series, a, 1.0);
    auto const sx = where(by_series, x, 0.5);
    auto const fa = where(by_fraction, a, 1.0);
    auto const fx = where(by_fraction, x, 2.0);
    auto const width = fx + (2.0 * turns + 3.0) - fa;
    auto const tail = 0.5 * (width - sqrt(square(width) - 4.0 * (turns + 1.0) * (turns + 1.0 - fa)));
    auto const turn = [&](auto const& i, auto const& sums) {
      auto const k = astype<element_in<A>>(turns - i);
      auto const r = 1.0 / (sa + k);
      auto const series = 1.0 + std::get<0>(sums) * sx * r;
      auto const fraction = k * (k - fa) / (fx + 2.0 * k + 1.0 - fa - std::get<1>(sums));
      if constexpr (Upper)
        return std::tuple{series, fraction, r - sx / (k + 1.0) * std::get<2>(sums)};
      else
        return std::tuple{series, fraction};
    };
    auto const start = [&] {
      if constexpr (Upper)
        return std::tuple{0.0 * sa + 1.0, tail, 0.0 * sa};
      else
        return std::tuple{0.0 * sa + 1.0, tail};
    }();
    auto const sums = fori_loop(0, turns, turn, start);

    auto const density = at.density();
    auto const lower = density / a * std::get<0>(sums);
    auto const upper = density / (fx + 1.0 - fa - std::get<1>(sums));
    auto const rest = exp(-a * at.h) / sqrt(a) * 0.39894228040143267794 *
                      gamma_at<A>{where(uniform, a, 20.0), x, at.h, where(uniform, at.eta, 0.0)}.uniform_rest();
    auto const half = at.eta * sqrt(0.5 * a);
    auto const value = [&] {
      if constexpr (Upper) {
        auto const small = logical_and(a < 1.5, x < 1.5);
        auto const ta = where(small, a, 1.0);
        auto const tx = where(small, x, 1.0);
        auto const power = ta * log(tx) - ta * chebyshev<log_gamma_1p>(ta / 0.75 - 1.0);
        auto const both_small = ta * tx * std::get<2>(sums) * exp(power) - expm1(power);
        return where(uniform, 0.5 * erfc(half) + rest, where(small, both_small, where(below, 1.0 - lower, upper)));
      } else {
        return where(uniform, 0.5 * erfc(-half) - rest, where(below, lower, 1.0 - upper));
      }
    }();
    auto const all = logical_or(given_a == 0, given_x == infinity);
    auto const none = logical_or(given_x == 0, given_a == infinity);
    auto const defined = logical_and(logical_and(given_a >= 0, given_x >= 0), given_a + given_x > 0);
    return where(defined, where(all, Upper ? 0.0 : 1.0, where(none, Upper ? 1.0 : 0.0, value)), not_a_number);
  }
};
struct incomplete_gamma_slope_by_a {
  constexpr auto operator()(auto const& a, auto const& x) const {
    return -std::get<1>(jvp(incomplete_gamma_value<true>{}, std::tuple{a, x}, std::tuple{0.0 * a + 1.0, float0{}}));
  }
};
struct incomplete_gamma_slope_by_x {
  constexpr auto operator()(auto const& given_a, auto const& given_x) const {
    auto const inside = logical_and(is_positive(given_a), is_positive(given_x));
    auto const a = where(inside, given_a, 1.0);
    auto const x = where(inside, given_x, 1.0);
    auto const at_zero = where(given_a < 1, infinity, where(given_a == 1, 1.0, 0.0));
    auto const defined = logical_and(given_a >= 0, given_x >= 0);
    return where(inside, gamma_at_of(a, x).density() / x,
                 where(defined, where(given_x == 0, at_zero, 0.0), not_a_number));
  }
};
template <bool Upper>
struct incomplete_gamma {
  constexpr auto operator()(auto const& given_a, auto const& given_x) const {
    return custom_jvp(incomplete_gamma_value<Upper>{}, [](auto const& at, auto const& moved) {
      auto const& [a, x] = at;
      auto const slope = std::get<0>(moved) * incomplete_gamma_slope_by_a{}(a, x) +
                         std::get<1>(moved) * incomplete_gamma_slope_by_x{}(a, x);
      return std::tuple{incomplete_gamma_value<Upper>{}(a, x), Upper ? -slope : slope};
    })(in_floats_with(given_x, given_a), in_floats_with(given_a, given_x));
  }
};
struct igamma_grad_a {
  constexpr auto operator()(auto const& a, auto const& x) const {
    return incomplete_gamma_slope_by_a{}(in_floats_with(x, a), in_floats_with(a, x));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::incomplete_gamma<false>> gammainc;
inline constexpr detail::composed_door<detail::bodies::incomplete_gamma<true>> gammaincc;
inline constexpr detail::composed_door<detail::bodies::incomplete_gamma<false>> igamma;
inline constexpr detail::composed_door<detail::bodies::incomplete_gamma<true>> igammac;
inline constexpr detail::composed_door<detail::bodies::igamma_grad_a> igamma_grad_a;

}  // namespace tessera
