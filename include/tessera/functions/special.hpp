// SPDX-License-Identifier: Apache-2.0
#pragma once
// Special functions: x -> the same shape and layout, float32 or float64; integers become floats.
//   gammaln(x), lgamma(x): log |gamma(x)|   gammasgn(x): its sign   gamma(x)   factorial(n): gamma(n + 1)
//   digamma(x): the slope of gammaln   polygamma(n, x): its n-th, n >= 1   zeta(s, q): of Hurwitz, s > 1
//   betaln(a, b)   beta(a, b)   poch(a, b): gamma(a + b) / gamma(a)   multigammaln<D>(a)
//   ndtr(x): the distribution function of normal numbers   log_ndtr(x): its log   ndtri(p): its inverse
//   xlogy(x, y), xlog1py(x, y): 0 where x is 0   entr(x): -x log x   rel_entr(p, q): p log(p / q)   kl_div(p, q)
//   logit(p): log(p / (1 - p))   expit(x): sigmoid   boxcox(x, l): (x^l - 1) / l   boxcox1p(x, l): of 1 + x   erfinv(x)
// Gradients are by the functions that are the slopes, not by these formulas. Moves 0 bytes. Error: tests/functions.
// Source: JAX 0.10.2 jax.scipy.special, jax.lax; formulas: DLMF 5.5, 5.11, 5.15, 7.12, 25.11.

#include <tessera/functions/numbers.hpp>
#include <tessera/transform/custom_jvp.hpp>

namespace tessera {
namespace detail::bodies {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double log_of_root_two_pi = 0.91893853320467274178;
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
template <class X>
inline constexpr bool in_double = facts_in_body<X>.element == dtype::float64;

// The value of Value with the slope Slope, both of x in floats and of one type. The types do not wait for the slope, which
// may call this function again.
template <class Value, class Slope>
struct with_slope {
  struct rule {
    template <class X, class D>
    constexpr auto operator()(std::tuple<X> const& x, std::tuple<D> const& dx) const
        -> std::tuple<decltype(Value{}(std::get<0>(x))), decltype(std::get<0>(dx) * Value{}(std::get<0>(x)))> {
      return std::tuple{Value{}(std::get<0>(x)), std::get<0>(dx) * Slope{}(std::get<0>(x))};
    }
  };
  constexpr auto operator()(auto const& given) const -> decltype(Value{}(in_floats(given))) {
    return custom_jvp(Value{}, rule{})(in_floats(given));
  }
};

// c0 + c1 x + ...
template <class X>
constexpr auto polynomial(X const&, double c) {
  return c;
}
template <class X, class... C>
constexpr auto polynomial(X const& x, double c, C... rest) {
  return c + x * polynomial(x, rest...);
}

// x moved up by whole numbers until Stirling's series holds, with what `take` makes of x, x + 1, ... below.
template <int Steps, class X, class A, class Take>
constexpr auto moved_up(X const& x, A const& start, Take const& take) {
  if constexpr (Steps == 0) {
    return std::tuple{x, start};
  } else {
    auto const below = x < (in_double<X> ? 12.0 : 7.0);
    return moved_up<Steps - 1>(where(below, x + 1.0, x), where(below, take(start, x), start), take);
  }
}
template <class X>
inline constexpr int most_steps = in_double<X> ? 12 : 7;

// x minus the nearest whole number: |sin(pi x)| and tan(pi x) are those of this.
constexpr auto from_whole(auto const& x) { return x - rint(x); }

// Of x > 0.
struct digamma_above {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const [y, less] =
        moved_up<most_steps<X>>(x, 0.0, [](auto const& sum, auto const& at) { return sum + 1.0 / at; });
    auto const r = 1.0 / square(y);
    auto const tail = r * polynomial(r, 1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760);
    return log(y) - 0.5 / y - tail - less;
  }
};
struct trigamma_above {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const [y, more] =
        moved_up<most_steps<X>>(x, 0.0, [](auto const& sum, auto const& at) { return sum + 1.0 / square(at); });
    auto const r = 1.0 / square(y);
    auto const tail = polynomial(r, 1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730);
    return more + 1.0 / y + 0.5 * r + r / y * tail;
  }
};
struct trigamma {
  constexpr auto operator()(auto const& x) const {
    auto const reflected = x < 0.5;
    auto const above = trigamma_above{}(where(reflected, 1.0 - x, x));
    auto const angle = std::numbers::pi * from_whole(where(reflected, x, 0.25));
    return where(reflected, square(std::numbers::pi / sin(angle)) - above, above);
  }
};
struct digamma_value {
  constexpr auto operator()(auto const& x) const {
    auto const reflected = x < 0.5;
    auto const above = digamma_above{}(where(reflected, 1.0 - x, x));
    auto const angle = std::numbers::pi * from_whole(where(reflected, x, 0.25));
    auto const pole = logical_and(x <= 0, x == floor(x));
    return where(pole, not_a_number, where(reflected, above - std::numbers::pi / tan(angle), above));
  }
};
struct digamma : with_slope<digamma_value, trigamma> {};
struct gammaln_value {
  template <class X>
  constexpr auto operator()(X const& given) const {
    auto const reflected = given < 0.5;
    auto const x = where(reflected, 1.0 - given, given);
    auto const [y, product] = moved_up<most_steps<X>>(x, 1.0, [](auto const& all, auto const& at) { return all * at; });
    auto const r = 1.0 / square(y);
    auto const tail = polynomial(r, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360) / y;
    auto const above = (y - 0.5) * (log(y) - 1.0) + tail + (log_of_root_two_pi - 0.5) - log(product);
    auto const angle = std::numbers::pi * from_whole(where(reflected, given, 0.25));
    auto const all = where(reflected, log(std::numbers::pi / abs(sin(angle))) - above, above);
    return where(isinf(given), infinity, where(logical_and(given <= 0, given == floor(given)), infinity, all));
  }
};
struct gammaln : with_slope<gammaln_value, digamma> {};
struct gammasgn {
  constexpr auto operator()(auto const& given) const {
    auto const x = in_floats(given);
    auto const below = floor(x);
    auto const odd = remainder(below, 2.0) != 0;
    auto const sign =
        where(x > 0, 1.0,
              where(x == 0, copysign(1.0, x), where(odd, -1.0, 1.0) + 0.0 * stop_gradient(where(isfinite(x), x, 0.0))));
    return where(isnan(x), x, where(logical_and(x < 0, below == x), not_a_number, sign));
  }
};
struct gamma {
  constexpr auto operator()(auto const& x) const { return gammasgn{}(x)*exp(gammaln{}(x)); }
};
struct factorial {
  constexpr auto operator()(auto const& n) const { return where(n < 0, 0.0, exp(gammaln{}(in_floats(n) + 1.0))); }
};
struct betaln {
  constexpr auto operator()(auto const& a, auto const& b) const {
    return gammaln{}(a) + gammaln{}(b)-gammaln{}(in_floats(a) + b);
  }
};
struct beta {
  constexpr auto operator()(auto const& a, auto const& b) const {
    return gammasgn{}(a)*gammasgn{}(b)*gammasgn{}(in_floats(a) + b) * exp(betaln{}(a, b));
  }
};
struct poch {
  constexpr auto operator()(auto const& a, auto const& b) const {
    auto const all = in_floats(a) + b;
    return where(b == 0, 1.0, gammasgn{}(all)*gammasgn{}(a)*exp(gammaln{}(all)-gammaln{}(a)));
  }
};
template <int D>
struct multigammaln {
  constexpr auto operator()(auto const& a) const {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return 0.25 * D * (D - 1) * 1.1447298858494001741 + (gammaln{}(in_floats(a) - 0.5 * I) + ...);
    }
    (std::make_integer_sequence<int, D>{});
  }
};
// Euler and Maclaurin's sum: terms to N, the integral behind them, and corrections by Bernoulli's numbers / (2 j)!.
struct zeta {
  constexpr auto operator()(auto const& given, auto const& q) const {
    constexpr int n = 9;
    auto const s = in_floats(given);
    auto const first = power(q, -s);
    auto const sum = [&]<int... I>(std::integer_sequence<int, I...>) {
      return (first + ... + power(q + (I + 1.0), -s));
    }
    (std::make_integer_sequence<int, n - 1>{});
    auto const a = q + static_cast<double>(n);
    auto const last = power(a, -s);
    constexpr double of[]{1.0 / 12,
                          -1.0 / 720,
                          1.0 / 30240,
                          -1.0 / 1209600,
                          1.0 / 47900160,
                          -691.0 / 1307674368000.0,
                          1.0 / 74724249600.0,
                          -3617.0 / 10670622842880000.0};
    auto const corrections = [&]<int... J>(std::integer_sequence<int, J...>) {
      auto rising = last * s / a;
      auto total = of[0] * rising;
      ((rising = rising * (s + (2.0 * J + 1)) * (s + (2.0 * J + 2)) / square(a), total = total + of[J + 1] * rising),
       ...);
      return total;
    }
    (std::make_integer_sequence<int, 7>{});
    auto const all = sum + a * last / (s - 1.0) + 0.5 * last + corrections;
    return where(s == 1, infinity, where(s < 1, not_a_number, all));
  }
};
struct polygamma {
  template <class X>
  constexpr auto operator()(auto const& given, X const& x) const {
    auto const n = astype<element_in<std::remove_const_t<decltype(in_floats(x))>>>(given);
    auto const sign = where(remainder(n, 2.0) == 0, -1.0, 1.0);
    return sign * exp(gammaln{}(n + 1.0)) * zeta{}(n + 1.0, x);
  }
};

struct ndtr {
  constexpr auto operator()(auto const& x) const { return 0.5 * erfc(-std::numbers::sqrt2 / 2 * in_floats(x)); }
};
struct log_ndtr_value {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr double low = in_double<X> ? -20.0 : -9.0, high = 0.0;
    auto const r = 1.0 / square(minimum(x, low));
    auto const tail = polynomial(r, 1.0, -1.0, 3.0, -15.0, 105.0, -945.0, 10395.0, -135135.0);
    auto const far = minimum(x, low);
    auto const below = -0.5 * square(far) - log(-far) - log_of_root_two_pi + log(tail);
    auto const between = log(ndtr{}(clip(x, low, high)));
    return where(x > high, log1p(-ndtr{}(-maximum(x, high))), where(x > low, between, below));
  }
};
struct log_ndtr {
  constexpr auto operator()(auto const& given) const {
    return custom_jvp(log_ndtr_value{}, [](auto const& x, auto const& dx) {
      auto const value = log_ndtr_value{}(std::get<0>(x));
      auto const slope = exp(-0.5 * square(std::get<0>(x)) - log_of_root_two_pi - value);
      return std::tuple{value, std::get<0>(dx) * slope};
    })(in_floats(given));
  }
};
// In the tails two steps of Newton's on the logarithm, from the first terms of the inverse of log_ndtr's series.
struct ndtri_value {
  constexpr auto operator()(auto const& p) const {
    auto const upper = p > 0.5;
    auto const near = where(upper, 1.0 - p, p);
    auto const in_tail = near < 0.02;
    auto const middle = std::numbers::sqrt2 * erf_inv(2.0 * where(in_tail, 0.25, near) - 1.0);
    auto const log_p = log(where(logical_and(in_tail, near > 0), near, 0.01));
    auto const root = sqrt(-2.0 * log_p - 2.0 * log_of_root_two_pi);
    auto const first = -(root - log(root) / root);
    auto const step = [&](auto const& x) {
      auto const value = log_ndtr_value{}(x);
      return x - (value - log_p) * exp(value + 0.5 * square(x) + log_of_root_two_pi);
    };
    auto const tail = where(near == 0, -infinity, step(step(step(first))));
    auto const below = where(in_tail, tail, middle);
    auto const inside = logical_and(p >= 0, p <= 1);
    return where(inside, where(upper, -below, below), not_a_number);
  }
};
struct ndtri {
  constexpr auto operator()(auto const& given) const {
    return custom_jvp(ndtri_value{}, [](auto const& p, auto const& dp) {
      auto const value = ndtri_value{}(std::get<0>(p));
      return std::tuple{value, std::get<0>(dp) * exp(0.5 * square(value) + log_of_root_two_pi)};
    })(in_floats(given));
  }
};

// log(y), or log(1 + y).
template <bool OfOneMore>
constexpr auto log_of(auto const& y) {
  if constexpr (OfOneMore)
    return log1p(y);
  else
    return log(y);
}
// The slope by x is the logarithm where x is 0, too.
template <bool OfOneMore>
struct xlogy_value {
  constexpr auto operator()(auto const& x, auto const& y) const {
    auto const none = logical_and(x == 0, logical_not(isnan(y)));
    return where(none, 0.0, x * log_of<OfOneMore>(where(none, OfOneMore ? 0.0 : 1.0, y)));
  }
};
template <bool OfOneMore>
struct xlogy {
  constexpr auto operator()(auto const& given, auto const& y) const {
    return custom_jvp(xlogy_value<OfOneMore>{}, [](auto const& x, auto const& dx) {
      auto const& [a, b] = x;
      auto const argument = b + (OfOneMore ? 1.0 : 0.0);
      return std::tuple{xlogy_value<OfOneMore>{}(a, b),
                        std::get<0>(dx) * log_of<OfOneMore>(b) + std::get<1>(dx) * (a / argument)};
    })(in_floats_with(y, given), in_floats_with(given, y));
  }
};
struct entr {
  constexpr auto operator()(auto const& given) const {
    auto const x = in_floats(given);
    auto const inside = x > 0;
    return where(x < 0, -infinity, where(inside, -x * log(where(inside, x, 1.0)), -x));
  }
};
struct rel_entr {
  constexpr auto operator()(auto const& p, auto const& q) const {
    auto const both = logical_and(p > 0, q > 0);
    auto const safe_p = where(both, p, 1.0);
    auto const safe_q = where(both, q, 1.0);
    auto const none = logical_and(p == 0, q >= 0);
    return where(both, safe_p * (log(safe_p) - log(safe_q)), where(none, 0.0, infinity));
  }
};
struct kl_div {
  constexpr auto operator()(auto const& p, auto const& q) const { return rel_entr{}(p, q) - p + q; }
};
struct logit {
  constexpr auto operator()(auto const& given) const {
    auto const p = in_floats(given);
    return log(p / (1.0 - p));
  }
};
template <bool OfOneMore>
struct boxcox {
  constexpr auto operator()(auto const& x, auto const& l) const {
    auto const none = l == 0;
    auto const safe = where(none, 1.0, l);
    auto const logarithm = log_of<OfOneMore>(in_floats(x));
    return where(none, logarithm, expm1(safe * logarithm) / safe);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::gammaln> gammaln;
inline constexpr detail::composed_door<detail::bodies::gammaln> lgamma;
inline constexpr detail::composed_door<detail::bodies::gammasgn> gammasgn;
inline constexpr detail::composed_door<detail::bodies::gamma> gamma;
inline constexpr detail::composed_door<detail::bodies::factorial> factorial;
inline constexpr detail::composed_door<detail::bodies::digamma> digamma;
inline constexpr detail::composed_door<detail::bodies::polygamma> polygamma;
inline constexpr detail::composed_door<detail::bodies::zeta> zeta;
inline constexpr detail::composed_door<detail::bodies::betaln> betaln;
inline constexpr detail::composed_door<detail::bodies::beta> beta;
inline constexpr detail::composed_door<detail::bodies::poch> poch;
inline constexpr detail::composed_door<detail::bodies::ndtr> ndtr;
inline constexpr detail::composed_door<detail::bodies::log_ndtr> log_ndtr;
inline constexpr detail::composed_door<detail::bodies::ndtri> ndtri;
inline constexpr detail::composed_door<detail::bodies::xlogy<false>> xlogy;
inline constexpr detail::composed_door<detail::bodies::xlogy<true>> xlog1py;
inline constexpr detail::composed_door<detail::bodies::entr> entr;
inline constexpr detail::composed_door<detail::bodies::rel_entr> rel_entr;
inline constexpr detail::composed_door<detail::bodies::kl_div> kl_div;
inline constexpr detail::composed_door<detail::bodies::logit> logit;
inline constexpr detail::composed_door<detail::bodies::boxcox<false>> boxcox;
inline constexpr detail::composed_door<detail::bodies::boxcox<true>> boxcox1p;
inline constexpr unary_door<ops::logistic> expit;
inline constexpr unary_door<ops::erf_inv> erfinv;

namespace functions {

template <int D, class X>
constexpr auto multigammaln(X const& a, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::multigammaln<D>>(at, a);
}

}  // namespace functions
}  // namespace tessera
