// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vectors and matrices of a formula, float32:
//   logspace<5>(0.0, 2.0): 5 powers of 10 (logspace<5>(a, b, base): of base) with exponents from a to b
//   geomspace<5>(1.0, 16.0): 5 numbers, each the same times the one before
//   bartlett<8>() blackman<8>() hamming<8>() hanning<8>(): windows of signals
//   bernoulli<6>(): Bernoulli's numbers B_0 ... B_6, with B_1 = -1/2; bernoulli<6, double>(), up to B_255
//   identity<3>(): eye<3>()   vander<4>(x): x (n) -> (n, 4), the powers 3, 2, 1, 0 of x; vander<4>(x, increasing)
// Constants, or elementwise: moves 0 bytes. Source: JAX 0.10.2 jax.numpy, jax.scipy.special.bernoulli.

#include <tessera/op/create/constant.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/create/triangle.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/trace/composed.hpp>

#include <array>
#include <numbers>

namespace tessera {

struct increasing_t {};
inline constexpr increasing_t increasing{};  // of vander: the powers 0, 1, 2, ...

namespace detail::bodies {

template <std::int64_t N>
struct logspace {
  constexpr auto operator()(auto const& start, auto const& stop, auto const& base) const {
    return power(base, linspace<N, float>(start, stop));
  }
};
template <std::int64_t N>
struct geomspace {
  constexpr auto operator()(auto const& start, auto const& stop) const {
    auto const signs = sign(start);
    auto const inner = exp2(linspace<N, float>(log2(signs * start), log2(signs * stop)));
    auto const place = arange<std::int32_t, N>();
    return where(place == 0, start, where(place == N - 1, stop, signs * inner));
  }
};
// of(0 ... N - 1); a window of one element is 1.
template <std::int64_t N, class F>
constexpr auto window_of(F const& of) {
  if constexpr (N == 1)
    return ones<float, 1>();
  else
    return of(arange<float, N>());
}
// B_k, from B_22 on by 2 k! zeta(k) / (2 pi)^k.
constexpr double bernoulli_number(std::int64_t k) {
  constexpr double first[]{1.0,           1.0 / 6, -1.0 / 30,     1.0 / 42,      -1.0 / 30,      5.0 / 66,
                           -691.0 / 2730, 7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};
  if (k == 1) return -0.5;
  if (k % 2 == 1) return 0;
  if (k <= 20) return first[k / 2];
  double zeta = 0, value = k % 4 == 0 ? -2 : 2;
  for (int base = 7; base > 0; --base) {
    double term = 1;
    for (std::int64_t j = 0; j < k; ++j) term /= base;
    zeta += term;
  }
  for (std::int64_t j = 1; j <= k; ++j) value *= static_cast<double>(j) / (2 * std::numbers::pi);
  return value * zeta;
}
template <std::int64_t N, class Element>
inline constexpr auto bernoulli_numbers = [] {
  std::array<Element, N + 1> all{};
  for (std::int64_t k = 0; k <= N; ++k) all[k] = static_cast<Element>(bernoulli_number(k));
  return all;
}();
template <std::int64_t N>
struct vander_increasing {
  constexpr auto operator()(auto const& x) const { return power(expand_dims<1>(x), arange<std::int32_t, N>()); }
};
template <std::int64_t N>
struct vander {
  constexpr auto operator()(auto const& x) const { return power(expand_dims<1>(x), N - 1 - arange<std::int32_t, N>()); }
};

}  // namespace detail::bodies

namespace functions {

template <std::int64_t N, class Element = float>
constexpr auto bernoulli() {
  static_assert(N >= 0 && N < 256, "tessera: bernoulli<N>() has the numbers 0 to N < 256, as far as float64 has them.");
  return constant(detail::bodies::bernoulli_numbers<N, Element>);
}

template <std::int64_t N, class A, class B, class Base = double>
constexpr auto logspace(A const& start, B const& stop, Base const& base = 10.0,
                        site at = std::source_location::current()) {
  return detail::composed<detail::bodies::logspace<N>>(at, start, stop, base);
}
template <std::int64_t N, class A, class B>
constexpr auto geomspace(A const& start, B const& stop, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::geomspace<N>>(at, start, stop);
}
template <std::int64_t N>
constexpr auto bartlett() {
  return detail::bodies::window_of<N>([](auto const& place) { return 1.0 - abs(2.0 * place / (N - 1) - 1.0); });
}
template <std::int64_t N>
constexpr auto blackman() {
  return detail::bodies::window_of<N>([](auto const& place) {
    auto const angle = place * (2 * std::numbers::pi / (N - 1));
    return 0.08 * cos(2.0 * angle) - 0.5 * cos(angle) + 0.42;
  });
}
template <std::int64_t N>
constexpr auto hamming() {
  return detail::bodies::window_of<N>(
      [](auto const& place) { return 0.54 - 0.46 * cos(place * (2 * std::numbers::pi / (N - 1))); });
}
template <std::int64_t N>
constexpr auto hanning() {
  return detail::bodies::window_of<N>(
      [](auto const& place) { return 0.5 * (1.0 - cos(place * (2 * std::numbers::pi / (N - 1)))); });
}
template <std::int64_t N, class Element = float>
constexpr auto identity(site at = std::source_location::current()) {
  return eye<N, N, 0, Element>(at);
}
template <class Element, std::int64_t N>
constexpr auto identity(site at = std::source_location::current()) {
  return eye<N, N, 0, Element>(at);
}
template <std::int64_t N, class X>
constexpr auto vander(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::vander<N>>(at, x);
}
template <std::int64_t N, class X>
constexpr auto vander(X const& x, increasing_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::vander_increasing<N>>(at, x);
}

}  // namespace functions
}  // namespace tessera
