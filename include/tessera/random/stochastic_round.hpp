// SPDX-License-Identifier: Apache-2.0
#pragma once
// stochastic_round<Element>(key, x): x in a float type of fewer digits, each number rounded to one of its two neighbors
// there, up with a probability that is its place between them. The mean over keys is x, so that small updates of
// bfloat16 parameters are not lost.
//   p16 = random::stochastic_round<bfloat16>(key, p32 - rate * g);
// Element: bfloat16, float16, or float of a double. x: floating; of a tree each leaf that is floating is rounded, with a
// key of its own, fold_in(key, number of its path), and the others stay. Exact numbers, infinities and NaN stay; beyond
// the largest finite number it rounds as astype does. Probabilities are multiples of 2^-16 (float to bfloat16), 2^-13
// (float to float16). Gradient: that of astype. Moves 0 bytes. JAX has no such function; XLA has stochastic-convert.

#include <tessera/op/elementwise.hpp>
#include <tessera/random/like.hpp>

#include <limits>
#include <type_traits>

namespace tessera::random {

namespace detail {

// The digits behind the leading one.
constexpr int fraction_bits(dtype element) {
  switch (element) {
    case dtype::float64: return 52;
    case dtype::float32: return 23;
    case dtype::float16: return 10;
    case dtype::bfloat16: return 7;
    default: return -1;
  }
}
constexpr double power_of_two(int e) {
  double p = 1;
  for (; e > 0; --e) p *= 2;
  for (; e < 0; ++e) p /= 2;
  return p;
}
// The exponent of the smallest normal number.
constexpr int least_exponent(dtype element) { return element == dtype::float16 ? -14 : -126; }
constexpr double largest_number(dtype element) {
  int const bits = fraction_bits(element);
  return (2 - power_of_two(-bits)) * power_of_two(element == dtype::float16 ? 15 : 127);
}

template <class To, class X>
inline constexpr bool rounds = false;
template <class To, Operand X>
inline constexpr bool rounds<To, X> = [] {
  int const from = fraction_bits(operand_traits<X>::type::value.element);
  return from >= 0 && fraction_bits(dtype_of<To>()) >= 0 && fraction_bits(dtype_of<To>()) < (from > 23 ? from : 23);
}();

template <class To, class K, class X>
constexpr auto rounded_by_chance(prng_key<K> const& key, X const& x, site at) {
  constexpr dtype to = dtype_of<To>();
  constexpr bool is_double = operand_traits<X>::type::value.element == dtype::float64;
  using work = std::conditional_t<is_double, double, float>;
  using bits = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
  constexpr int digits = is_double ? 52 : 23, kept = fraction_bits(to);
  constexpr bits exponent = ((bits{1} << (8 * sizeof(bits) - 1 - digits)) - 1) << digits;
  constexpr auto steps = static_cast<work>(power_of_two(digits - kept));
  auto const w = astype<work>(x, at);
  auto const power = bitcast<work>(bitcast<bits>(w, at) & full<bits>(exponent), at);  // 2^e of |w|
  auto const quantum = maximum(power * static_cast<work>(power_of_two(-kept)),
                               static_cast<work>(power_of_two(least_exponent(to) - kept)), at);
  auto const chance = tessera::floor(uniform_like(key, w, at) * steps, at) / steps;
  auto const rounded = tessera::floor(w / quantum + chance, at) * quantum;
  auto const moves =
      isfinite(w, at) & (tessera::abs(rounded, at) <= static_cast<work>(largest_number(to))) & (rounded != w);
  return astype<To>(where(moves, w + stop_gradient(rounded - w, at), w, at), at);
}

}  // namespace detail

template <class Element, class K, class X>
constexpr auto stochastic_round(prng_key<K> const& key, X const& x, site at = std::source_location::current()) {
  if constexpr (Tree<X>)
    return tree_map_with_path(
        [&](auto path, auto const& leaf) {
          if constexpr (detail::rounds<Element, std::remove_cvref_t<decltype(leaf)>>)
            return detail::rounded_by_chance<Element>(fold_in(key, decltype(path)::number, at), leaf, at);
          else
            return leaf;
        },
        x);
  else if constexpr (detail::rounds<Element, X>)
    return detail::rounded_by_chance<Element>(key, x, at);
  else
    return tessera::detail::refused_as<written::rounded_to_more_digits>(x, at);
}

}  // namespace tessera::random
