// SPDX-License-Identifier: Apache-2.0
#pragma once
// owens_t(h, a): Owen's T, the integral of exp(-h^2 (1 + t^2) / 2) / (1 + t^2) over t from 0 to a, by 2 pi; h, a -> one value
// for each pair, in the merged layout; float32 or float64. Elementwise: moves 0 bytes.
// |a| <= 1: Gauss and Legendre's rule up to where the integrand vanishes; larger a: by T(a h, 1 / a). Gradients: the
// integrand by a, and by h in closed form. Source: JAX 0.10.2 jax.scipy.special.owens_t; D. B. Owen, Tables for computing
// bivariate normal probabilities, 1956; DLMF 3.5(v).

#include <tessera/functions/special.hpp>

#include <array>

namespace tessera {
namespace detail::bodies {

// Legendre's rule of N points on [0, 1]: where, and how much. The points are roots of P_N, by Newton's steps.
template <int N>
struct legendre_rule {
  std::array<double, N> at{}, weight{};
  constexpr legendre_rule() {
    for (int i = 0; i < N; ++i) {
      double x = 1 - 2 * (i + 0.75) / (N + 0.5);  // between neighbors of the root in cos's scale
      x = x * (1.5 - 0.5 * x * x);
      double slope = 1;
      for (int step = 0; step < 60; ++step) {
        double before = 1, value = x;
        for (int k = 2; k <= N; ++k) {
          double const next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
          before = value;
          value = next;
        }
        slope = N * (x * value - before) / (x * x - 1);
        // Less the roots that are there: the step leads to another one.
        double others = 0;
        for (int j = 0; j < i; ++j) others += 1 / (x - (1 - 2 * at[j]));
        x -= value / (slope - value * others);
      }
      at[i] = (1 - x) / 2;
      weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
  }
};
template <int N>
inline constexpr legendre_rule<N> legendre{};

struct owens_t_value {
  template <class H>
  constexpr auto operator()(H const& given_h, H const& given_a) const {
    constexpr int points = in_double<H> ? 32 : 16;
    auto const size = abs(given_h);
    auto const slope = abs(given_a);
    auto const inverted = slope > 1;
    auto const scaled = where(size == 0, 0.0, slope * size);
    auto const h = where(inverted, scaled, size);
    auto const a = where(inverted, 1.0 / where(inverted, slope, 1.0), slope);
    auto const end = where(h > 9, minimum(a, 9.0 / where(h > 9, h, 9.0)), a);
    auto const half = -0.5 * square(h);
    auto sum = 0.0 * half;
    for (int i = 0; i < points; ++i) {
      auto const r = square(legendre<points>.at[i] * end) + 1.0;
      sum = sum + legendre<points>.weight[i] / r * exp(half * r);
    }
    auto const inside = where(isfinite(h), sum, 0.0) * end / (2 * std::numbers::pi);
    auto const first = erfc(size / std::numbers::sqrt2);
    auto const second = erfc(scaled / std::numbers::sqrt2);
    auto const all = where(inverted, 0.25 * (first + second - first * second) - inside, inside);
    return where(logical_or(isnan(given_h), isnan(given_a)), not_a_number, copysign(all, given_a));
  }
};
struct owens_t {
  constexpr auto operator()(auto const& given_h, auto const& given_a) const {
    return custom_jvp(owens_t_value{}, [](auto const& at, auto const& moved) {
      auto const& [h, a] = at;
      auto const r = square(a) + 1.0;
      auto const by_h = -0.19947114020071633897 * exp(-0.5 * square(h)) * erf(a * h / std::numbers::sqrt2);
      auto const by_a = exp(-0.5 * square(h) * r) / (2 * std::numbers::pi * r);
      return std::tuple{owens_t_value{}(h, a), std::get<0>(moved) * by_h + std::get<1>(moved) * by_a};
    })(in_floats_with(given_a, given_h), in_floats_with(given_h, given_a));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::owens_t> owens_t;

}  // namespace tessera
