// SPDX-License-Identifier: Apache-2.0
#pragma once
// What fits of bessel.hpp, incomplete.hpp, integrals.hpp and waves.hpp are: chebyshev<C>(u) is c0 + c1 T1(u) + c2 T2(u)
// + ..., u from -1 to 1, C an array of double. float32 leaves out the last terms, which it would not see.
// The coefficients of a fit are those of the polynomial that equals the function in 48 to 90 Chebyshev points, computed by
// mpmath with 30 digits (tests/functions/recorded/fits.py). Each table says what it fits.
// Elementwise: moves 0 bytes. Source: C. W. Clenshaw, A note on the summation of Chebyshev series, 1955; DLMF 3.11(ii).

#include <tessera/functions/special.hpp>

#include <iterator>

namespace tessera::detail::bodies {

template <auto const& C, bool Wide>
inline constexpr int terms_of = [] {
  double most = 0;
  for (double const c : C) most = c > most ? c : -c > most ? -c : most;
  int n = static_cast<int>(std::size(C));
  while (!Wide && n > 1 && C[n - 1] < 4e-9 * most && -C[n - 1] < 4e-9 * most) --n;
  return n;
}();

template <auto const& C, class U>
constexpr auto chebyshev(U const& u) {
  constexpr int n = terms_of<C, in_double<U>>;
  auto const twice = 2.0 * u;
  auto above = 0.0 * u;
  auto sum = above + C[n - 1];
  for (int k = n - 2; k > 0; --k) {
    auto const next = twice * sum - above + C[k];
    above = sum;
    sum = next;
  }
  return u * sum - above + C[0];
}

// x from `from` to infinity as u from -1 to 1; half of the terms are for x below from + middle.
template <class X>
constexpr auto half_line(X const& x, double from, double middle) {
  auto const above = minimum(x, 1e30) - from;
  return (above - middle) / (above + middle);
}

}  // namespace tessera::detail::bodies
