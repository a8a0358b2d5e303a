// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random bits of one element: threefry2x32 with 20 rounds (Salmon et al. 2011) of a key and the element's position in
// the whole array. The op is elementwise: a device computes the bits of its block for any layout, and it moves 0 bytes.
//   threefry(k0, k1, place) -> int32: its two words, xored.   threefry_pair(k0, k1, place) -> uint64: both.
//   random_unit(bits) -> [0, 1): float32 of int32, float64 of uint64, with as many bits as a mantissa has.
// k0 and k1 are int32, so that a vector holds as many of them as of floats; places too, or int64 if there may be more
// than 2^32. No gradient.
// Source: JAX 0.10.2 jax.random, jax_threefry_partitionable.

#include <tessera/op/base/elementwise.hpp>

#include <bit>

namespace tessera {

// The two words that threefry2x32 computes from a key and a counter of two words each.
struct threefry_words {
  std::uint32_t first, second;
};

namespace detail {
TESSERA_FUNCTION TESSERA_INLINE constexpr void threefry_round(threefry_words& x, int turn) {
  x.first += x.second;
  x.second = (x.second << turn) | (x.second >> (32 - turn));
  x.second ^= x.first;
}
template <int A, int B, int C, int D>
TESSERA_FUNCTION TESSERA_INLINE constexpr void threefry_rounds(threefry_words& x, std::uint32_t first,
                                                               std::uint32_t second) {
  threefry_round(x, A);
  threefry_round(x, B);
  threefry_round(x, C);
  threefry_round(x, D);
  x.first += first;
  x.second += second;
}
}  // namespace detail

namespace functions {

TESSERA_FUNCTION TESSERA_INLINE constexpr threefry_words threefry_2x32(threefry_words key, threefry_words count) {
  std::uint32_t const k0 = key.first, k1 = key.second, k2 = k0 ^ k1 ^ 0x1bd11bdau;
  threefry_words x{count.first + k0, count.second + k1};
  detail::threefry_rounds<13, 15, 26, 6>(x, k1, k2 + 1);
  detail::threefry_rounds<17, 29, 16, 24>(x, k2, k0 + 2);
  detail::threefry_rounds<13, 15, 26, 6>(x, k0, k1 + 3);
  detail::threefry_rounds<17, 29, 16, 24>(x, k1, k2 + 4);
  detail::threefry_rounds<13, 15, 26, 6>(x, k2, k0 + 5);
  return x;
}

}  // namespace functions

namespace ops {

template <class Self, dtype Result>
struct threefry_of {
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 3;

  static constexpr verdict rule(rule_input const& in) {
    bool const counted = in[2].element == dtype::int32 || in[2].element == dtype::int64;
    if (in[0].element != dtype::int32 || in[1].element != dtype::int32 || !counted)
      return refuse(reason::element_unsupported);
    verdict v = tessera::rule::broadcast(in);
    v.result.element = Result;
    v.result.weak = false;
    return v;
  }
  static lanes_function block(dtype, dtype place) {
    using result = tessera::detail::compute_type<Result>;
    using word = std::int32_t;
    if (place == dtype::int32)
      return tessera::detail::loop_of<Self, tessera::detail::lane_loop<Self, result, word, word, std::int32_t>>();
    return tessera::detail::loop_of<Self, tessera::detail::lane_loop<Self, result, word, word, std::int64_t>>();
  }
  static constexpr bool locally_constant = true;

protected:
  template <class Word, class Place>
  TESSERA_FUNCTION TESSERA_INLINE static constexpr threefry_words words(Word k0, Word k1, Place place) {
    threefry_words const key{static_cast<std::uint32_t>(k0), static_cast<std::uint32_t>(k1)};
    if constexpr (sizeof(Place) == 8)
      return threefry_2x32(key, {static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) >> 32),
                                 static_cast<std::uint32_t>(place)});
    else
      return threefry_2x32(key, {0, static_cast<std::uint32_t>(place)});
  }
};

struct threefry : threefry_of<threefry, dtype::int32> {
  static constexpr std::string_view name = "threefry";
  static constexpr int depth = 80;
  template <class Word, class Place>
  TESSERA_FUNCTION static constexpr int32 eval(Word k0, Word k1, Place place) {
    threefry_words const x = words(k0, k1, place);
    return static_cast<std::int32_t>(x.first ^ x.second);
  }
};
struct threefry_pair : threefry_of<threefry_pair, dtype::uint64> {
  static constexpr std::string_view name = "threefry_pair";
  static constexpr int depth = 80;
  template <class Word, class Place>
  TESSERA_FUNCTION static constexpr uint64 eval(Word k0, Word k1, Place place) {
    threefry_words const x = words(k0, k1, place);
    return static_cast<std::uint64_t>(x.first) << 32 | x.second;
  }
};

// The bits are the mantissa of a number from 1 to 2, less 1.
struct random_unit {
  static constexpr std::string_view name = "random_unit";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 1;

  static constexpr verdict rule(rule_input const& in) {
    if (in[0].element != dtype::int32 && in[0].element != dtype::uint64) return refuse(reason::element_unsupported);
    array_value out = in[0];
    out.element = in[0].element == dtype::int32 ? dtype::float32 : dtype::float64;
    out.weak = false;
    return accept(out);
  }
  static lanes_function block(dtype, dtype bits) {
    if (bits == dtype::int32)
      return tessera::detail::loop_of<random_unit, tessera::detail::lane_loop<random_unit, float, std::int32_t>>();
    return tessera::detail::loop_of<random_unit, tessera::detail::lane_loop<random_unit, double, std::uint64_t>>();
  }
  template <class Bits>
  TESSERA_FUNCTION static constexpr auto eval(Bits bits) {
    if constexpr (sizeof(Bits) == 4)
      return std::bit_cast<float>((static_cast<std::uint32_t>(bits) >> 9) | 0x3f800000u) - 1.0f;
    else
      return std::bit_cast<double>((static_cast<std::uint64_t>(bits) >> 12) | 0x3ff0000000000000u) - 1.0;
  }
  static constexpr bool locally_constant = true;
};

}  // namespace ops
}  // namespace tessera
