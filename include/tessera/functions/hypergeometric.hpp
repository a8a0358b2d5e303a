// SPDX-License-Identifier: Apache-2.0
#pragma once
// hyp1f1(a, b, x): Kummer's M(a, b, x), the sum of (a)_k / (b)_k x^k / k!; real numbers -> one value for each triple, in the
// merged layout; float32 or float64. Elementwise: moves 0 bytes.
// x < 0: e^x M(b - a, b, -x). |x| <= 100, and polynomials: the series from its end, of as many terms for all elements. Else:
// DLMF 13.7.2, which needs a and b small beside x. Infinite where b is 0, -1, -2 ..., unless x or a is 0.
// Gradients: by x M(a + 1, b + 1, x) a / b; by a and b those of the sums.
// Source: JAX 0.10.2 jax.scipy.special.hyp1f1; DLMF 13.2, 13.7. Differs: negative a and x are as exact as positive ones.

#include <tessera/control/control.hpp>
#include <tessera/functions/special.hpp>

namespace tessera {
namespace detail::bodies {

constexpr auto is_pole(auto const& x) { return logical_and(x <= 0, x == rint(x)); }

// The sum 1 + f(0) (1 + f(1) (1 + ...)) to f(Terms) from its end; with Slopes std::tuple(sum, its slopes by a and b), where
// f gives a factor and its slopes.
template <int Terms, bool Slopes, class A, class F>
constexpr auto nested_sum(A const& like, F const& f) {
  auto const zero = 0.0 * like;
  auto const turn = [&](auto const& i, auto const& sums) {
    auto const [r, by_a, by_b] = f(astype<element_in<A>>(Terms - i));
    auto const sum = std::get<0>(sums);
    if constexpr (Slopes)
      return std::tuple{1.0 + r * sum, by_a * sum + r * std::get<1>(sums), by_b * sum + r * std::get<2>(sums)};
    else
      return std::tuple{1.0 + r * sum};
  };
  if constexpr (Slopes)
    return fori_loop(0, Terms + 1, turn, std::tuple{zero + 1.0, zero, zero});
  else
    return fori_loop(0, Terms + 1, turn, std::tuple{zero + 1.0});
}

// std::tuple of the value and, with Slopes, the slopes by a and b.
template <bool Slopes>
struct hyp1f1_all {
  template <class A>
  constexpr auto operator()(A const& given_a, A const& given_b, A const& given_x) const {
    constexpr int terms = in_double<A> ? 300 : 200, far_terms = in_double<A> ? 40 : 16;
    auto const b_is_pole = is_pole(given_b);
    auto const b = where(b_is_pole, 1.0, given_b);
    auto const turned = given_x < 0;
    auto const a = where(turned, b - given_a, given_a);
    auto const z = abs(given_x);
    auto const a_is_pole = is_pole(a);
    auto const by_series = logical_or(z <= 100, logical_and(a_is_pole, a > -terms));
    auto const near = where(by_series, z, 1.0);
    auto const far = where(by_series, 200.0, z);
    auto const series = nested_sum<terms, Slopes>(a, [&](auto const& k) {
      auto const each = near / ((b + k) * (k + 1.0));
      auto const r = (a + k) * each;
      return std::tuple{r, each, -r / (b + k)};
    });
    auto const tail = nested_sum<far_terms, Slopes>(a, [&](auto const& k) {
      auto const each = 1.0 / (far * (k + 1.0));
      auto const p = b - a + k;
      auto const q = 1.0 - a + k;
      return std::tuple{p * q * each, -(p + q) * each, q * each};
    });
    auto const above = where(a_is_pole, 1.0, a);
    auto const size = gammaln{}(b)-gammaln{}(above) + (a - b) * log(far) + where(turned, 0.0, far);
    auto const factor = where(a_is_pole, 0.0, gammasgn{}(b)*gammasgn{}(above)*exp(size));
    auto const shrunk = where(turned, exp(-near), 1.0);
    auto const value = where(by_series, shrunk * std::get<0>(series), factor * std::get<0>(tail));
    auto const trivial = logical_or(given_x == 0, given_a == 0);
    auto const all = where(trivial, 1.0, where(b_is_pole, infinity, value));
    if constexpr (Slopes) {
      auto const& [sum, sum_by_a, sum_by_b] = tail;
      auto const far_by_a = factor * (sum_by_a + sum * (log(far) - digamma{}(above)));
      auto const far_by_b = factor * (sum_by_b + sum * (digamma{}(b)-log(far)));
      auto const by_a = where(by_series, shrunk * std::get<1>(series), far_by_a);
      auto const by_b = where(by_series, shrunk * std::get<2>(series), far_by_b);
      return std::tuple{all, where(turned, -by_a, by_a), where(turned, by_a + by_b, by_b)};
    } else {
      return std::tuple{all};
    }
  }
};
struct hyp1f1_value {
  template <class A>
  constexpr auto operator()(A const& a, A const& b, A const& x) const {
    return std::get<0>(hyp1f1_all<false>{}(a, b, x));
  }
};
struct hyp1f1 {
  constexpr auto operator()(auto const& given_a, auto const& given_b, auto const& given_x) const {
    auto const rule = [](auto const& at, auto const& moved) {
      auto const& [a, b, x] = at;
      auto const [value, by_a, by_b] = hyp1f1_all<true>{}(a, b, x);
      auto const by_x = a / b * hyp1f1_value{}(a + 1.0, b + 1.0, x);
      return std::tuple{value, std::get<0>(moved) * by_a + std::get<1>(moved) * by_b + std::get<2>(moved) * by_x};
    };
    auto const a = in_floats_with(given_x, in_floats_with(given_b, given_a));
    return custom_jvp(hyp1f1_value{}, rule)(a, in_floats_with(a, given_b), in_floats_with(a, given_x));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::hyp1f1> hyp1f1;

}  // namespace tessera
