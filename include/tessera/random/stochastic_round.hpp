// SPDX-License-Identifier: Apache-2.0
#pragma once
// stochastic_round<Element>(key, x): x in a float type of fewer digits, each number rounded to one of its two neighbors
// there, up with a probability that is its place between them. The mean over keys is x, so that small updates of
// bfloat16 parameters are not lost.
//   p16 = random::stochastic_round<bfloat16>(key, p32 - rate * g);
// Element: bfloat16, float16, a float of 8 bits, or float of a double. x: floating; of a tree each leaf that is floating
// is rounded, with a key of its own, fold_in(key, number of its path), and the others stay. Exact numbers, infinities and
// NaN stay; beyond the largest finite number it rounds as astype does. Probabilities are multiples of 2^-16 (float to
// bfloat16), 2^-13 (float to float16). Gradient: that of astype. Moves 0 bytes. JAX has no such function; XLA has
// stochastic-convert.

#include <tessera/aval/half.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/random/like.hpp>

#include <limits>
#include <type_traits>

namespace tessera::random {

namespace detail {

// What x is rounded in.
template <class X>
using rounded_in = std::conditional_t<operand_traits<X>::type::value.element == dtype::float64, double, float>;

template <class To, class X>
inline constexpr bool rounds = false;
template <class To, Operand X>
inline constexpr bool rounds<To, X> =
    is_floating(operand_traits<X>::type::value.element) &&
    is_floating(dtype_of<To>()) && std::numeric_limits<To>::digits < std::numeric_limits<rounded_in<X>>::digits;

template <class To, class K, class X>
constexpr auto rounded_by_chance(prng_key<K> const& key, X const& x, site at) {
  using work = rounded_in<X>;
  using bits = std::conditional_t<sizeof(work) == 8, std::uint64_t, std::uint32_t>;
  using narrow = std::numeric_limits<To>;
  constexpr int digits = std::numeric_limits<work>::digits;
  constexpr bits exponent = ((bits{1} << (8 * sizeof(bits) - digits)) - 1) << (digits - 1);
  constexpr auto steps = static_cast<work>(std::int64_t{1} << (digits - narrow::digits));
  auto const w = astype<work>(x, at);
  auto const power = bitcast<work>(bitcast<bits>(w, at) & full<bits>(exponent), at);  // 2^e of |w|
  auto const quantum =
      maximum(power * static_cast<work>(narrow::epsilon()), static_cast<work>(narrow::denorm_min()), at);
  auto const chance = tessera::floor(uniform_like(key, w, at) * steps, at) / steps;
  auto const rounded = tessera::floor(w / quantum + chance, at) * quantum;
  auto const moves = isfinite(w, at) & (tessera::abs(rounded, at) <= static_cast<work>(narrow::max())) & (rounded != w);
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
