// SPDX-License-Identifier: Apache-2.0
#pragma once
// sph_harm_y<N>(n, m, theta, phi): spherical harmonics of degree n, 0 to N, and order m, |m| <= n, at the angle theta from the
// pole, 0 to pi, and the longitude phi; four arrays -> one complex value for each set of four, in the merged layout.
// Condon and Shortley's phase; orthonormal on the sphere. Degrees above N are taken as N. n and m are integers, theta and phi
// floats. One pass over degrees: N turns. Elementwise: moves 0 bytes. Source: JAX 0.10.2 jax.scipy.special.sph_harm_y, whose
// n_max is N; DLMF 14.10.3, 14.30. Differs: N is a template argument, and operands have any shape.

#include <tessera/control/scan.hpp>
#include <tessera/functions/special.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/complex.hpp>

namespace tessera {
namespace detail::bodies {

template <std::int64_t N>
struct sph_harm_y {
  static_assert(N >= 0, "tessera: sph_harm_y<N> is of degrees 0 to N. Fix: sph_harm_y<3>(n, m, theta, phi).");
  constexpr auto operator()(auto const& given_n, auto const& given_m, auto const& given_theta,
                            auto const& given_phi) const {
    auto const theta = in_floats_with(given_phi, given_theta) + 0.0 * (given_n + given_m);
    auto const phi = in_floats_with(theta, given_phi);
    auto const zero = 0.0 * theta;
    auto const n = stop_gradient(minimum(given_n, static_cast<double>(N)) + zero);
    auto const order = stop_gradient(given_m + zero);
    auto const m = abs(order);
    auto const height = cos(theta);
    auto const radius = sin(theta);
    auto const first = zero + 0.28209479177387814347;  // 1 / sqrt(4 pi)
    auto const of_zero = where(m == 0, first, 0.0);
    auto const turn = [&](auto const& carry, auto const& l) {
      auto const& [diagonal, before, last, found] = carry;
      auto const next_diagonal = -sqrt((2.0 * l + 1.0) / (2.0 * l)) * radius * diagonal;
      auto const inside = m < l;
      auto const k = where(inside, m, 0.0);
      auto const up = sqrt((4.0 * l * l - 1.0) / (l * l - k * k));
      auto const down = sqrt(maximum(square(l - 1.0) - k * k, 0.0) / maximum(4.0 * square(l - 1.0) - 1.0, 1.0));
      auto const next = where(inside, up * (height * last - down * before), where(m == l, next_diagonal, 0.0));
      return std::pair{std::tuple{next_diagonal, last, next, where(n == l, next, found)}, std::tuple<>{}};
    };
    auto const begin = std::tuple{first, zero, of_zero, where(n == 0, of_zero, 0.0)};
    auto const degrees = astype<element_in<std::remove_const_t<decltype(theta)>>>(arange<std::int32_t, N>() + 1);
    auto const size = std::get<3>(std::get<0>(functions::scan(turn, begin, degrees)));
    auto const odd = remainder(m, 2.0) == 1;
    auto const signed_size = where(logical_and(order < 0, odd), -size, size);
    auto const angle = order * phi;
    return complex(signed_size * cos(angle), signed_size * sin(angle));
  }
};

}  // namespace detail::bodies

namespace functions {

template <std::int64_t N, class Degree, class Order, class Theta, class Phi>
constexpr auto sph_harm_y(Degree const& n, Order const& m, Theta const& theta, Phi const& phi,
                          site at = std::source_location::current()) {
  return detail::composed<detail::bodies::sph_harm_y<N>>(at, n, m, theta, phi);
}

}  // namespace functions
}  // namespace tessera
