// SPDX-License-Identifier: Apache-2.0
#pragma once
// gamma_draw(pair, a): a number of the gamma distribution of shape a, made by rejection (Marsaglia, Tsang 2000) from a
// key of the element's own, both words in one uint64; log_gamma_draw: its logarithm, which is finite for small a, too.
// float32, float64. Each element takes as many turns as it needs. The gradient by a is that of the quantile function at
// a fixed probability, as if the number were drawn by the inverse distribution function: gamma_slope(draw, a),
// log_gamma_slope(logarithm, a), which have no gradients.
// Source: JAX 0.10.2 jax.random, _gamma_one, lax.random_gamma_grad (Figurnov, Mohamed, Mnih 2018).

#include <tessera/base/erf_inv.hpp>
#include <tessera/base/gamma_slope.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/random/threefry.hpp>

#include <cmath>

namespace tessera {
namespace detail {

TESSERA_FUNCTION inline threefry_words key_after(threefry_words key, std::uint32_t which) {
  return threefry_2x32(key, {0, which});
}
// Bits as a number in [0, 1).
template <class T>
TESSERA_FUNCTION T unit_of_bits(threefry_words x) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(((x.first ^ x.second) >> 9) | 0x3f800000u) - 1.0f;
  else
    return std::bit_cast<double>(((static_cast<std::uint64_t>(x.first) << 32 | x.second) >> 12) | 0x3ff0000000000000u) -
           1.0;
}
template <class T>
TESSERA_FUNCTION T unit_of(threefry_words key) {
  return unit_of_bits<T>(key_after(key, 0));
}
template <class T>
TESSERA_FUNCTION T normal_of(threefry_words key) {
  constexpr T low = static_cast<T>(-1) + std::numeric_limits<T>::epsilon() / 2;
  T const u = unit_of<T>(key) * (T(1) - low) + low;
  return static_cast<T>(1.4142135623730951) * math::erf_inv(u < low ? low : u);
}

// A number d v of the gamma distribution of shape a >= 1 as its parts, and the remaining key.
template <class T>
struct gamma_parts {
  T d, v;
  threefry_words left;
};
template <class T>
TESSERA_FUNCTION gamma_parts<T> gamma_of(threefry_words key, T a) {
  T const third = static_cast<T>(1.0 / 3.0), d = a - third, c = third / std::sqrt(d);
  threefry_words const left = key_after(key, 1);
  key = key_after(key, 0);
  T v = 1, square = 0, u = 2;
  while (u >= T(1) - T(0.0331) * (square * square) && std::log(u) >= square * T(0.5) + d * ((T(1) - v) + std::log(v))) {
    threefry_words inner = key_after(key, 1), spread = key_after(key, 2);
    key = key_after(key, 0);
    T x = 0, root = -1;
    while (root <= 0) {
      threefry_words const drawn = key_after(inner, 1);
      inner = key_after(inner, 0);
      x = normal_of<T>(drawn);
      root = T(1) + x * c;
    }
    square = x * x;
    v = root * root * root;
    u = unit_of<T>(spread);
  }
  return {d, v, left};
}

}  // namespace detail

namespace ops {

struct log_gamma_slope : binary<log_gamma_slope, accepts::floats> {
  static constexpr std::string_view name = "log_gamma_slope";
  template <class T>
  TESSERA_FUNCTION static T eval(T logarithm, T a) {
    return math::gamma_slope(logarithm, a);
  }
};
struct gamma_slope : binary<gamma_slope, accepts::floats> {
  static constexpr std::string_view name = "gamma_slope";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T a) {
    double const wide = x;
    return x == 0 && a > 0 ? T(0) : static_cast<T>(wide * math::gamma_slope<double>(std::log(wide), a));
  }
};

template <class Self, class Slope>
struct gamma_by_rejection {
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 2;
  static constexpr verdict rule(rule_input const& in) {
    if (in[0].element != dtype::uint64 || (in[1].element != dtype::float32 && in[1].element != dtype::float64))
      return refuse(reason::element_unsupported);
    verdict v = tessera::rule::broadcast(in);
    v.result.element = in[1].element;
    v.result.weak = false;
    return v;
  }
  static lanes_function block(dtype, dtype a) {
    if (a == dtype::float32)
      return tessera::detail::loop_of<Self, tessera::detail::lane_loop<Self, float, std::uint64_t, float>>();
    return tessera::detail::loop_of<Self, tessera::detail::lane_loop<Self, double, std::uint64_t, double>>();
  }

  template <class B>
  static constexpr void transpose(B& back, int) {
    if (!back.wants(1)) return;
    auto const slope = make<Slope>(back, {back.result(), back.operand(1)});
    back.give(1, back.cotangent() * slope);
  }

protected:
  TESSERA_FUNCTION static constexpr threefry_words key_of(std::uint64_t pair) {
    return {static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair)};
  }
};

struct gamma_draw : gamma_by_rejection<gamma_draw, gamma_slope> {
  static constexpr std::string_view name = "gamma_draw";
  template <class T>
  TESSERA_FUNCTION static T eval(std::uint64_t pair, T a) {
    auto const g = tessera::detail::gamma_of<T>(key_of(pair), a >= 1 ? a : a + 1);
    T const boost = a >= 1 ? T(1) : std::pow(T(1) - tessera::detail::unit_of<T>(g.left), T(1) / a);
    return g.d * g.v * boost;
  }
};
struct log_gamma_draw : gamma_by_rejection<log_gamma_draw, log_gamma_slope> {
  static constexpr std::string_view name = "log_gamma_draw";
  template <class T>
  TESSERA_FUNCTION static T eval(std::uint64_t pair, T a) {
    auto const g = tessera::detail::gamma_of<T>(key_of(pair), a >= 1 ? a : a + 1);
    T const drawn = std::log1p(-tessera::detail::unit_of<T>(g.left));
    return std::log(g.d) + std::log(g.v) + (a >= 1 || drawn == 0 ? T(0) : drawn * (T(1) / a));
  }
};

}  // namespace ops
}  // namespace tessera
