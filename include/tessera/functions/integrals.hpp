// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions that integrals define: x -> the same shape and layout, float32 or float64; integers become floats.
//   expi(x): of exp(t) / t below x   exp1(x): of exp(-t) / t above x   expn<n>(x): of exp(-x t) / t^n, t above 1, n >= 0
//   erfcx(x): exp(x^2) erfc(x)   dawsn(x): exp(-x^2) times the integral of exp(t^2) from 0 to x
//   spence(x): of log(t) / (1 - t) from 1 to x, x >= 0
// Gradients: exp(x) / x; -expn<n - 1>; 2 x erfcx - 2 / sqrt(pi); 1 - 2 x dawsn; log(x) / (1 - x). Moves 0 bytes.
// expn: below 1.5 the series DLMF 8.19.8, above the continued fraction 8.19.17 from its end. spence: in -log(x), by
// Bernoulli's numbers (DLMF 25.12), for x from 0.5 to 2; elsewhere 1 / x or 1 - x is there. The others are fits by
// Chebyshev series (chebyshev.hpp). Error: tests/functions.
// Source: JAX 0.10.2 jax.scipy.special; DLMF chapters 6, 7, 8, 25. Differs: expi(0) is -inf; at infinity expi, exp1, expn
// and spence have their limits, and spence'(1) is -1, where JAX has NaN or 0;
// expn<n>(0) is 1 / (n - 1), where JAX has 1 / n. expn's n is static.

#include <tessera/control/control.hpp>
#include <tessera/functions/chebyshev.hpp>

namespace tessera {
namespace detail::bodies {

// psi(n): -Euler's constant + 1 + 1/2 + ... + 1 / (n - 1).
constexpr double digamma_of_whole(int n) {
  double sum = -std::numbers::egamma;
  for (int k = 1; k < n; ++k) sum += 1.0 / k;
  return sum;
}
template <int N>
struct expn_value {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (N == 0)
      return where(x < 0, not_a_number, exp(-x) / x);
    else
      return of_positive(x);
  }

private:
  // The coefficients of (-x)^k / k!, but for the logarithm.
  static constexpr double coefficient(int k) { return k == N - 1 ? digamma_of_whole(N) : 1.0 / (N - 1 - k); }
  template <class X>
  static constexpr auto of_positive(X const& x) {
    constexpr int terms = in_double<X> ? 24 : 14, turns = in_double<X> ? 60 : 26;
    auto const near = x < 1.5;
    auto const below = where(logical_and(near, x > 0), x, 1.0);
    auto const above = where(near, 1.5, minimum(x, 1e12));

    auto series = 0.0 * below + coefficient(terms);
    auto power = 0.0 * below + (N - 1 <= terms ? 1.0 : 0.0);
    for (int k = terms; k > 0; --k) {
      series = coefficient(k - 1) - series * below / static_cast<double>(k);
      if (k < N) power = power * below / static_cast<double>(-k);
    }
    auto const small = series - power * log(below);

    auto const width = above + (2.0 * turns + 2.0 + N);
    auto const tail = 0.5 * (width - sqrt(square(width) - 4.0 * (turns + 1.0) * (turns + N)));
    auto const turn = [&](auto const& i, auto const& u) {
      auto const k = astype<element_in<X>>(turns - i);
      return k * (k + (N - 1.0)) / (above + 2.0 * k + static_cast<double>(N) - u);
    };
    auto const large = exp(-x) / (above + static_cast<double>(N) - fori_loop(0, turns, turn, tail));
    constexpr double at_zero = N == 1 ? infinity : 1.0 / (N == 1 ? 1 : N - 1);
    return where(x < 0, not_a_number, where(x == 0, at_zero, where(near, small, large)));
  }
};
template <int N>
struct expn;
template <int N>
struct expn_slope {
  constexpr auto operator()(auto const& x) const {
    if constexpr (N == 0)
      return -exp(-x) * (1.0 + 1.0 / x) / x;
    else
      return -expn<N - 1>{}(x);
  }
};
template <int N>
struct expn : with_slope<expn_value<N>, expn_slope<N>> {};

// x exp(-x) expi(x) of 1 / x = (3 + u) / 40, (3 + u) / 80, (1 + u) / 80; (expi(x) - log(x / x0)) / (x - x0) of x = 5 (u + 1).
inline constexpr double expi_middle[]{
    1.0919285604685727,      0.03763481363221164,     0.0017862656367321533,   0.00012499946247373256,
    -1.6016679258449402e-06, -2.7201657170126617e-06, -1.7232107729901223e-07, 5.819125852713776e-08,
    3.0009097049225548e-09,  -1.5846588221914607e-09, 5.181235156634425e-11,   3.516392602105247e-11,
    -5.6590677582685826e-12, -1.3535463621753408e-13, 1.709913576674295e-13,   -2.4791959848925164e-14,
    -2.1889667440874907e-16, 7.138072241984512e-16,   -1.3363831247206177e-16};
inline constexpr double expi_far[]{
    1.0409213494553333,      0.014794351415448243,   0.0002335821597547257,   6.327009658710876e-06,
    2.753688231203913e-07,   1.858346362409004e-08,  1.5476267703040975e-09,  7.247954202379818e-11,
    -1.5367081213007557e-11, -4.146806835333236e-12, -1.9593009457839372e-13, 7.65737053622893e-14,
    9.452063446729183e-15,   -1.50655090793729e-15,  -2.505839934809547e-16,  4.0026038693505854e-17};
inline constexpr double expi_farthest[]{
    1.013000946388941,     0.013173609544194371,  0.00017620552371111085, 3.642352053413062e-06, 1.0363147927429254e-07,
    3.813480680688831e-09, 1.747202457794016e-10, 9.723024129155511e-12,  6.466039306640236e-13, 5.0886257016631476e-14,
    4.721533478404251e-15, 5.180722800738425e-16, 6.776097942327009e-17};
inline constexpr double expi_near[]{
    55.98960545441937,      93.29367226674039,      59.355199668645625,     30.296032366482557,
    12.872261503078036,     4.67832930374517,       1.4846514003048292,     0.41800664589838055,
    0.10574813737323693,    0.024286399761931452,   0.005106815437595829,   0.0009902330101952974,
    0.00017814203939758676, 2.9889031061835803e-05, 4.69842443962174e-06,   6.947429543867016e-07,
    9.697585486736263e-08,  1.2818551682283841e-08, 1.6090765898657747e-09, 1.923014466936996e-10,
    2.1930990442764836e-11, 2.3917493427235125e-12, 2.4991269911024925e-13, 2.506346321501439e-14,
    2.416452461184862e-15};
// expi(x0) = 0; the first part is a float.
inline constexpr double expi_root = 0.37250709533691406, expi_root_rest = 3.15444452571961989382e-07;
struct expi_value {
  constexpr auto operator()(auto const& x) const {
    auto const negative = x < 0;
    auto const near = logical_and(x > 0, x <= 10);
    auto const middle = x <= 20;
    auto const far = x <= 40;

    auto const below = where(near, x, 1.0);
    auto const from_root = below - expi_root - expi_root_rest;
    auto const ratio = from_root / (expi_root + expi_root_rest);
    auto const small = below < 0.1;
    auto const logarithm = where(small, log(below / (expi_root + expi_root_rest)), log1p(where(small, 0.0, ratio)));
    auto const low = logarithm + from_root * chebyshev<expi_near>(below / 5.0 - 1.0);

    auto const above = where(x <= 10, 10.0, minimum(x, 1e30));
    auto const r = 1.0 / above;
    auto const fit = where(middle, chebyshev<expi_middle>(maximum(40.0 * r - 3.0, -1.0)),
                           where(far, chebyshev<expi_far>(clip(80.0 * r - 3.0, -1.0, 1.0)),
                                 chebyshev<expi_farthest>(minimum(80.0 * r - 1.0, 1.0))));
    auto const root = exp(0.5 * above);
    auto const high = fit * r * root * root;
    auto const value = where(negative, -expn_value<1>{}(where(negative, -x, 1.0)), where(near, low, high));
    return where(x == 0, -infinity, where(isnan(x), x, value));
  }
};
struct expi_slope {
  constexpr auto operator()(auto const& x) const { return exp(x) / x; }
};
struct expi : with_slope<expi_value, expi_slope> {};

// (1 + 2 x) erfcx(x) of x = 3 (1 + u) / (1 - u), and (2 x + 1 / x) dawsn(x) of x^2 = 16 (1 + u) / (1 - u).
inline constexpr double erfcx_all[]{
    1.17756257419656,       0.005353904539615676,    -0.09377550342284209,    0.05436652555744322,
    -0.018976596707845208,  0.004453426061462712,    -0.0006335531710553147,  1.7661719523171593e-05,
    1.2841532864056671e-05, -2.0072285659059913e-06, -1.807522790414837e-07,  7.549828343825093e-08,
    1.885668523838603e-09,  -2.699519049798364e-09,  -1.460079119939105e-11,  1.0361607445969489e-10,
    1.475715976623473e-12,  -4.277340064396911e-12,  -2.07922492859799e-13,   1.8134502003176963e-13,
    1.973425574544739e-14,  -7.287943737592673e-15,  -1.5169878690228116e-15, 2.3514112258781403e-16,
    1.0006111691821667e-16};
inline constexpr double dawsn_all[]{
    1.1625044442912795,      -0.2191518013526791,     0.038946394566368794,    0.07161858365933171,
    -0.1123430336911124,     0.1033532855344265,      -0.07179517873255088,    0.03937503912741293,
    -0.01675195975098699,    0.005043082391761991,    -0.0006999110754612234,  -0.00022126653470150583,
    0.000150653928764342,    -2.1691845347787677e-05, -1.187228928968144e-05,  5.484222223075252e-06,
    4.199720379612863e-07,   -8.125951126315853e-07,  5.8601954753719076e-08,  1.1118779239840302e-07,
    -1.9010882952562257e-08, -1.5953150158292034e-08, 3.736993956723862e-09,   2.5359781934339218e-09,
    -6.304941647763031e-10,  -4.50267648879998e-10,   9.356807143683554e-11,   8.679749887141685e-11,
    -1.0612565062053442e-11, -1.7335943197577226e-11, 1.1203534553451096e-13,  3.402175372752956e-12,
    4.645387830595414e-13,   -6.146119044353398e-13,  -2.0191942065246122e-13, 9.047362288514876e-14,
    6.101841526749967e-14,   -6.341528884849455e-15,  -1.4750686563535813e-14, -2.150223436072596e-15,
    2.757931491107089e-15,   1.2190338690393129e-15,  -2.9516796842384387e-16, -3.681922505651165e-16,
    -4.101114786362212e-17,  7.46933104816617e-17,    3.3833756610792815e-17};
// exp(x^2) of x = h + d, where h^2 is exact.
constexpr auto exp_of_square(auto const& x) {
  auto const h = rint(16.0 * x) / 16.0;
  return exp(square(h)) * exp((x - h) * (x + h));
}
struct erfcx_value {
  constexpr auto operator()(auto const& x) const {
    auto const size = abs(x);
    auto const above = chebyshev<erfcx_all>(half_line(size, 0, 3)) / (2.0 * size + 1.0);
    return where(x < 0, 2.0 * exp_of_square(clip(x, -30.0, 0.0)) - above, above);
  }
};
struct erfcx;
struct erfcx_slope {
  template <class X>
  constexpr auto operator()(X const& x) const;
};
struct erfcx : with_slope<erfcx_value, erfcx_slope> {};
template <class X>
constexpr auto erfcx_slope::operator()(X const& x) const {
  return 2.0 * x * erfcx{}(x)-2.0 * std::numbers::inv_sqrtpi;
}
struct dawsn_value {
  constexpr auto operator()(auto const& x) const {
    return chebyshev<dawsn_all>(half_line(square(minimum(abs(x), 1e15)), 0, 16)) / (1.0 / x + 2.0 * x);
  }
};
struct dawsn_slope {
  template <class X>
  constexpr auto operator()(X const& x) const;
};
struct dawsn : with_slope<dawsn_value, dawsn_slope> {};
template <class X>
constexpr auto dawsn_slope::operator()(X const& x) const {
  return 1.0 - 2.0 * x * dawsn{}(x);
}

struct spence_value {
  constexpr auto operator()(auto const& x) const {
    constexpr double sixth = std::numbers::pi * std::numbers::pi / 6;
    auto const inverted = x > 2;
    auto const y = where(inverted, 1.0 / x, x);
    auto const reflected = y < 0.5;
    auto const low = where(logical_and(reflected, y > 0), y, 0.25);
    auto const z = -where(reflected, log1p(-where(reflected, y, 0.0)), log(where(reflected, 1.0, y)));
    auto const series =
        polynomial(square(z), 1.0 / 36, -1.0 / 3600, 1.0 / 211680, -1.0 / 10886400, 1.0 / 526901760,
                   -691.0 / 2730 / 6227020800, 7.0 / 6 / 1307674368000, -3617.0 / 510 / 355687428096000);
    auto const middle = z * (1.0 + z * (z * series - 0.25));
    auto const below = where(y == 0, sixth, sixth + log(low) * z - middle);
    auto const of_y = where(reflected, below, middle);
    return where(inverted, -0.5 * square(log(where(inverted, x, 1.0))) - of_y, where(x < 0, not_a_number, of_y));
  }
};
struct spence_slope {
  constexpr auto operator()(auto const& x) const {
    auto const one = x == 1;
    return where(one, -1.0, log(x) / where(one, 1.0, 1.0 - x));
  }
};
struct spence : with_slope<spence_value, spence_slope> {};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::expi> expi;
inline constexpr detail::composed_door<detail::bodies::expn<1>> exp1;
inline constexpr detail::composed_door<detail::bodies::erfcx> erfcx;
inline constexpr detail::composed_door<detail::bodies::dawsn> dawsn;
inline constexpr detail::composed_door<detail::bodies::spence> spence;

namespace functions {

template <int N, class X>
constexpr auto expn(X const& x, site at = std::source_location::current()) {
  static_assert(N >= 0, "tessera: expn<n>(x) is defined for n >= 0. Fix: a non-negative n.");
  return detail::composed<detail::bodies::expn<N>>(at, x);
}

}  // namespace functions
}  // namespace tessera
