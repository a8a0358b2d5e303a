// SPDX-License-Identifier: Apache-2.0
#pragma once
// betainc(a, b, x): a, b, x -> the share of the integral of t^(a - 1) (1 - t)^(b - 1) from 0 to 1 that lies below x, in the
// merged layout; float32 or float64. Elementwise: moves 0 bytes.
// The continued fraction DLMF 8.17.22 from its end, of 1 - x with a and b exchanged where x > (a + 1) / (a + b + 2). Two of
// its terms are one turn; as many turns for all elements as a = b = 1e5 needs, and fewer digits are right above that. In
// float32 four digits are right where a is 1e5 and 1 - x 1e-4, else six.
// The factor x^a (1 - x)^b / beta(a, b) is by distances from a / (a + b): no large logarithms are subtracted.
// Source: JAX 0.10.2 jax.scipy.special.betainc, jax.lax.betainc. Differs: it has gradients by a and b, too.

#include <tessera/functions/incomplete.hpp>

namespace tessera {
namespace detail::bodies {

// Of a, b > 0 and 0 < x < 1: x^a (1 - x)^b / beta(a, b), where y is 1 - x.
constexpr auto beta_density(auto const& a, auto const& b, auto const& x, auto const& y) {
  auto const all = a + b;
  auto const from_mean = (x * b - y * a) / all;
  auto const below = log_distance(from_mean * all / a, x * all / a);
  auto const above = log_distance(-from_mean * all / b, y * all / b);
  auto const rest = log_beyond_stirling(all) - log_beyond_stirling(a) - log_beyond_stirling(b);
  return exp(rest - a * std::get<0>(below) - b * std::get<0>(above)) * sqrt(a / all * b) * 0.39894228040143267794;
}

struct betainc_value {
  template <class A>
  constexpr auto operator()(A const& given_a, A const& given_b, A const& given_x) const {
    constexpr int turns = in_double<A> ? 300 : 160;
    auto const shapes = logical_and(is_positive(given_a), is_positive(given_b));
    auto const usual = logical_and(shapes, logical_and(given_x > 0, given_x < 1));
    auto const p = where(usual, given_a, 1.0);
    auto const q = where(usual, given_b, 1.0);
    auto const z = where(usual, given_x, 0.5);
    auto const small = logical_and(q < 1, z < 0.99);  // 1 - the other share would lose digits
    auto const exchanged = logical_and(z * (p + q + 2.0) > p + 1.0, logical_not(small));
    auto const a = where(exchanged, q, p);
    auto const b = where(exchanged, p, q);
    auto const x = where(exchanged, 1.0 - z, z);
    auto const y = where(exchanged, z, 1.0 - z);
    auto const all = a + b;
    auto const turn = [&](auto const& i, auto const& below) {
      auto const m = astype<element_in<A>>(turns - i);
      auto const c = a + 2.0 * m;
      auto const odd = (a + m) * x * ((all + m) / c);
      auto const even = m * x * ((b - m) / c);
      return 1.0 + even / (c - 1.0) * ((c + 1.0) * below / ((c + 1.0) * below - odd));
    };
    auto const fraction = fori_loop(0, turns, turn, 0.0 * a + 1.0);
    auto const part = beta_density(a, b, x, y) / a / (1.0 - all * x / (a + 1.0) / fraction);
    auto const value = where(exchanged, 1.0 - part, part);

    auto const defined = logical_and(logical_and(given_a >= 0, given_b >= 0), logical_and(given_x >= 0, given_x <= 1));
    auto const at_zero = logical_or(given_a == 0, given_b == infinity);
    auto const at_one = logical_or(given_b == 0, given_a == infinity);
    auto const edge =
        where(at_zero, where(given_x == 0, 0.0, 1.0), where(at_one, where(given_x == 1, 1.0, 0.0), given_x));
    auto const both = where(usual, value, edge);
    return where(logical_and(defined, logical_not(logical_and(at_zero, at_one))), both, not_a_number);
  }
};
struct betainc_slope_by_x {
  constexpr auto operator()(auto const& given_a, auto const& given_b, auto const& given_x) const {
    auto const shapes = logical_and(is_positive(given_a), is_positive(given_b));
    auto const usual = logical_and(shapes, logical_and(given_x > 0, given_x < 1));
    auto const a = where(usual, given_a, 1.0);
    auto const b = where(usual, given_b, 1.0);
    auto const x = where(usual, given_x, 0.5);
    auto const near = where(given_x == 0, given_a, given_b);
    auto const far = where(given_x == 0, given_b, given_a);
    auto const edge = where(near < 1, infinity, where(near == 1, far, 0.0));
    auto const defined = logical_and(shapes, logical_and(given_x >= 0, given_x <= 1));
    return where(usual, beta_density(a, b, x, 1.0 - x) / (x * (1.0 - x)), where(defined, edge, not_a_number));
  }
};
struct betainc {
  constexpr auto operator()(auto const& given_a, auto const& given_b, auto const& given_x) const {
    auto const rule = [](auto const& at, auto const& moved) {
      auto const& [a, b, x] = at;
      auto const one = 0.0 * a + 1.0;
      auto const by_a = std::get<1>(jvp(betainc_value{}, at, std::tuple{one, float0{}, float0{}}));
      auto const by_b = std::get<1>(jvp(betainc_value{}, at, std::tuple{float0{}, one, float0{}}));
      auto const by_x = betainc_slope_by_x{}(a, b, x);
      return std::tuple{betainc_value{}(a, b, x),
                        std::get<0>(moved) * by_a + std::get<1>(moved) * by_b + std::get<2>(moved) * by_x};
    };
    auto const a = in_floats_with(given_x, in_floats_with(given_b, given_a));
    return custom_jvp(betainc_value{}, rule)(a, in_floats_with(a, given_b), in_floats_with(a, given_x));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::betainc> betainc;

}  // namespace tessera
