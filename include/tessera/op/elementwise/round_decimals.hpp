// SPDX-License-Identifier: Apache-2.0
#pragma once
// round(x, decimals): x rounded to so many digits after the point, halves to even: x 10^decimals, rounded, and divided by
// that; negative decimals count before the point. Floats of 8 and 16 bits are computed in float32. The gradient is 0.
// Integers do not change. std::invalid_argument if decimals are negative then. Moves 0 bytes. Source: JAX 0.10.2 jnp.round.

#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/trace/composed.hpp>

#include <stdexcept>

namespace tessera {
namespace detail {

constexpr double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent || i < -exponent; ++i) power *= 10;
  return exponent < 0 ? 1 / power : power;
}

namespace bodies {
struct round_decimals {
  template <class X>
  constexpr auto operator()(X const& x, auto const& scale) const {
    constexpr dtype element = facts_in_body<X>.element;
    if constexpr (is_complex(element))
      return complex(round_decimals{}(real(x), scale), round_decimals{}(imag(x), scale));
    else if constexpr (!is_inexact(element))
      return x;
    else if constexpr (bytes_of(element) < 4)
      return functions::astype<element_of<element>>(round_decimals{}(functions::astype<float>(x), scale));
    else
      return round(x * scale) / scale;
  }
};
}  // namespace bodies

template <class X>
inline constexpr bool is_of_integers = false;
template <Operand X>
  requires(!Refused<X>)
inline constexpr bool is_of_integers<X> = !is_inexact(operand_traits<X>::type::value.element);

template <class X>
constexpr auto round_door::operator()(X const& x, int decimals, site at) const {
  if constexpr (is_of_integers<X>)
    if (decimals < 0)
      throw std::invalid_argument(
          "tessera: round(x, decimals) of integers takes no negative decimals. Fix: round(astype<float>(x), -2).");
  return composed<bodies::round_decimals>(at, x, power_of_ten(decimals));
}

}  // namespace detail
}  // namespace tessera
