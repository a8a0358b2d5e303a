// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions of numbers: x, or x and y -> one value for each element or pair, in the merged layout.
//   fabs(x)   fmax(x, y), fmin(x, y): the other one where one is NaN   heaviside(x, y): 0 below 0, 1 above, y at 0
//   sinc(x): sin(pi x) / (pi x)   float_power(x, y): power in floats   logaddexp2(x, y): log2(2^x + 2^y)
//   isneginf(x) isposinf(x) isreal(x) iscomplex(x): bool
//   modf(x): std::tuple(x - trunc(x), trunc(x))   divmod(x, y): std::tuple(floor_divide, remainder)
//   frexp(x): std::tuple(m, e) with x = m 2^e and 0.5 <= |m| < 1   ldexp(x, e): x 2^e   nextafter(x, y): towards y
//   spacing(x): what is between |x| and the next larger float, with x's sign
//   gcd(x, y), lcm(x, y) of integers, not negative   population_count(x), clz(x): bits of integers, in x's type
//   bitwise_count(x): the bits of |x|, uint8
//   unwrap<Dim = -1>(x): adds multiples of 2 pi along a dimension, so that no step is larger than pi
// Move 0 bytes, unwrap what cumsum moves. gcd and lcm take as many turns as the largest pair of the type would need.
// Source: JAX 0.10.2 jax.numpy, jax.lax. Differs: frexp, ldexp and nextafter take float32 and float64 only.

#include <tessera/control/control.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/trace/composed.hpp>

#include <numbers>
#include <tuple>

namespace tessera {
namespace detail::bodies {

template <class X>
using element_in = element_of<facts_in_body<X>.element>;

// A number becomes a constant.
constexpr auto in_floats(auto const& x) { return multiply(1.0, x); }
// x in the shape and dtype of x + y.
constexpr auto in_floats_with(auto const& y, auto const& x) { return in_floats(x) + 0.0 * where(isfinite(y), y, 0.0); }

struct fabs {
  constexpr auto operator()(auto const& x) const { return abs(in_floats(x)); }
};
struct fmax {
  constexpr auto operator()(auto const& x, auto const& y) const { return where(logical_or(x > y, isnan(y)), x, y); }
};
struct fmin {
  constexpr auto operator()(auto const& x, auto const& y) const { return where(logical_or(x < y, isnan(y)), x, y); }
};
struct heaviside {
  constexpr auto operator()(auto const& x, auto const& y) const {
    return where(x < 0, 0.0, where(x > 0, 1.0, where(x == 0, y, x)));
  }
};
// Near 0 by two terms of its series, whose first two derivatives are right.
struct sinc {
  constexpr auto operator()(auto const& x) const {
    auto const angle = std::numbers::pi * in_floats(x);
    auto const at_zero = angle == 0;
    auto const safe = where(at_zero, 1.0, angle);
    return where(at_zero, 1.0 - square(angle) / 6.0, sin(safe) / safe);
  }
};
struct float_power {
  constexpr auto operator()(auto const& x, auto const& y) const { return power(in_floats(x), y); }
};
struct logaddexp2 {
  constexpr auto operator()(auto const& x, auto const& y) const {
    return logaddexp(std::numbers::ln2 * x, std::numbers::ln2 * y) / std::numbers::ln2;
  }
};
struct isneginf {
  constexpr auto operator()(auto const& x) const { return x == -std::numeric_limits<double>::infinity(); }
};
struct isposinf {
  constexpr auto operator()(auto const& x) const { return x == std::numeric_limits<double>::infinity(); }
};
struct isreal {
  constexpr auto operator()(auto const& x) const { return imag(x) == 0; }
};
struct iscomplex {
  constexpr auto operator()(auto const& x) const { return imag(x) != 0; }
};
struct modf {
  constexpr auto operator()(auto const& given) const {
    auto const x = in_floats(given);
    auto const whole = trunc(x);
    return std::tuple{x - whole, whole};
  }
};
struct divmod {
  constexpr auto operator()(auto const& x, auto const& y) const {
    return std::tuple{floor_divide(x, y), remainder(x, y)};
  }
};

// Of a float's type: its integer, the bits of its mantissa, and what is added to its exponent.
template <dtype Element>
struct float_parts {
  using integer = std::int32_t;
  using type = float;
  static constexpr int mantissa = 23, bias = 127;
};
template <>
struct float_parts<dtype::float64> {
  using integer = std::int64_t;
  using type = double;
  static constexpr int mantissa = 52, bias = 1023;
};
template <class X>
using parts_of_float = float_parts<facts_in_body<X>.element>;

struct frexp {
  template <class X>
  constexpr auto operator()(X const& given) const {
    auto const x = in_floats(given);
    using parts = parts_of_float<std::remove_const_t<decltype(x)>>;
    using integer = typename parts::integer;
    constexpr integer exponents = 2 * parts::bias + 1;
    auto const small = abs(x) < std::numeric_limits<typename parts::type>::min();
    auto const normal = where(small, x * static_cast<double>(std::int64_t{1} << (parts::mantissa + 2)), x);
    auto const bits = bitcast<integer>(normal);
    auto const exponent = ((bits >> parts::mantissa) & exponents) - (parts::bias - 1);
    auto const mantissa = bitcast<typename parts::type>((bits & ~(exponents << parts::mantissa)) |
                                                        (integer{parts::bias - 1} << parts::mantissa));
    auto const plain = logical_and(isfinite(x), x != 0);
    return std::tuple{where(plain, mantissa, x),
                      astype<std::int32_t>(where(plain, exponent - where(small, parts::mantissa + 2, 0), 0))};
  }
};
// In three factors, so that no power of two is too large.
struct ldexp {
  template <class X>
  constexpr auto operator()(X const& given, auto const& exponent) const {
    auto const x = in_floats(given);
    using parts = parts_of_float<std::remove_const_t<decltype(x)>>;
    using integer = typename parts::integer;
    auto const power_of_two = [](auto const& e) {
      return bitcast<typename parts::type>((e + parts::bias) << parts::mantissa);
    };
    auto const all =
        astype<integer>(clip(exponent, -2 * (parts::bias + parts::mantissa), 2 * (parts::bias + parts::mantissa)));
    auto const third = floor_divide(all, 3);
    auto const rest = all - 2 * third;
    return x * power_of_two(third) * power_of_two(rest) * power_of_two(third);
  }
};
// Floats in the order of their bits; -0 and 0 have the same neighbors.
struct nextafter {
  template <class X, class Y>
  constexpr auto operator()(X const& given, Y const& towards) const {
    auto const x = in_floats_with(towards, given);
    using parts = parts_of_float<std::remove_const_t<decltype(x)>>;
    using T = typename parts::type;
    auto const bits = bitcast<typename parts::integer>(x);
    auto const away = (x > 0) == (x < towards);
    auto const next = bitcast<T>(bits + where(away, 1, -1));
    auto const from_zero = copysign(static_cast<double>(std::numeric_limits<T>::denorm_min()), towards);
    auto const moved = where(x == 0, from_zero, next);
    return where(x == towards, astype<T>(towards), where(isnan(x), x, where(isnan(towards), towards, moved)));
  }
};
struct spacing {
  constexpr auto operator()(auto const& given) const {
    auto const x = in_floats(given);
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return where(isfinite(x), nextafter{}(x, copysign(infinite, x)) - x, std::numeric_limits<double>::quiet_NaN());
  }
};

// x, which must be of integers.
constexpr auto of_integers(auto const& x) { return bitwise_or(x, x); }

// Euclid's rounds for the largest pair of the type: neighbors in Fibonacci's sequence.
constexpr int rounds_of_euclid(dtype element) { return bytes_of(element) * 8 * 3 / 2; }
struct gcd {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    auto const a = abs(of_integers(x + 0 * y));
    auto const b = abs(of_integers(y + 0 * x));
    using A = std::remove_const_t<decltype(a)>;
    if constexpr (Refused<A>) {
      return a;
    } else {
      auto const step = [](auto const&, auto const& pair) {
        auto const& [large, small] = pair;
        auto const done = small == 0;
        return std::tuple{where(done, large, small), where(done, small, remainder(large, where(done, 1, small)))};
      };
      return std::get<0>(fori_loop(0, rounds_of_euclid(facts_in_body<A>.element), step, std::tuple{a, b}));
    }
  }
};
struct lcm {
  constexpr auto operator()(auto const& x, auto const& y) const {
    auto const common = gcd{}(x, y);
    return abs(floor_divide(x, where(common == 0, 1, common)) * y);
  }
};

// An unsigned type's bits, added up in pairs, then in pairs of these.
template <dtype Element>
using bits_of = boost::mp11::mp_at_c<boost::mp11::mp_list<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>,
                                     bytes_of(Element) == 1   ? 0
                                     : bytes_of(Element) == 2 ? 1
                                     : bytes_of(Element) == 4 ? 2
                                                              : 3>;
template <class U, class N>
constexpr auto bits_set(N n) {
  constexpr U ones = static_cast<U>(~U{0});
  constexpr U pairs = static_cast<U>(ones / 15 * 3);
  auto const twos = n - ((n >> 1) & static_cast<U>(ones / 3));
  auto const fours = (twos & pairs) + ((twos >> 2) & pairs);
  auto sum = (fours + (fours >> 4)) & static_cast<U>(ones / 17);
  if constexpr (sizeof(U) > 1) sum = sum + (sum >> 8);
  if constexpr (sizeof(U) > 2) sum = sum + (sum >> 16);
  if constexpr (sizeof(U) > 4) sum = sum + (sum >> 32);
  return sum & static_cast<U>(127);
}

struct population_count {
  template <class X>
  constexpr auto operator()(X const& x) const {
    using U = bits_of<facts_in_body<X>.element>;
    return astype<element_in<X>>(bits_set<U>(bitcast<U>(of_integers(x))));
  }
};
struct bitwise_count {
  template <class X>
  constexpr auto operator()(X const& x) const {
    using U = bits_of<facts_in_body<X>.element>;
    return astype<std::uint8_t>(bits_set<U>(bitcast<U>(abs(of_integers(x)))));
  }
};
// All bits below the highest one are set; those that are left over lead.
struct clz {
  template <class X>
  constexpr auto operator()(X const& x) const {
    using U = bits_of<facts_in_body<X>.element>;
    constexpr int width = 8 * sizeof(U);
    auto n = bitcast<U>(of_integers(x));
    n = n | (n >> 1);
    n = n | (n >> 2);
    n = n | (n >> 4);
    if constexpr (width > 8) n = n | (n >> 8);
    if constexpr (width > 16) n = n | (n >> 16);
    if constexpr (width > 32) n = n | (n >> 32);
    return astype<element_in<X>>(width - astype<std::int32_t>(bits_set<U>(n)));
  }
};

template <int Dim>
struct unwrap {
  constexpr auto operator()(auto const& given) const {
    constexpr double half = std::numbers::pi;
    auto const x = in_floats(given);
    auto const step = diff<1, Dim>(x);
    auto const inside = remainder(step + half, 2 * half) - half;
    auto const kept = where(logical_and(inside == -half, step > 0), half, inside);
    auto const added = cumsum<Dim>(where(abs(step) < half, 0.0, kept - step));
    return x + concatenate<Dim>(0 * slice_in_dim<Dim, 0, 1>(added), added);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::fabs> fabs;
inline constexpr detail::composed_door<detail::bodies::fmax> fmax;
inline constexpr detail::composed_door<detail::bodies::fmin> fmin;
inline constexpr detail::composed_door<detail::bodies::heaviside> heaviside;
inline constexpr detail::composed_door<detail::bodies::sinc> sinc;
inline constexpr detail::composed_door<detail::bodies::float_power> float_power;
inline constexpr detail::composed_door<detail::bodies::logaddexp2> logaddexp2;
inline constexpr detail::composed_door<detail::bodies::isneginf> isneginf;
inline constexpr detail::composed_door<detail::bodies::isposinf> isposinf;
inline constexpr detail::composed_door<detail::bodies::isreal> isreal;
inline constexpr detail::composed_door<detail::bodies::iscomplex> iscomplex;
inline constexpr detail::composed_door<detail::bodies::modf> modf;
inline constexpr detail::composed_door<detail::bodies::divmod> divmod;
inline constexpr detail::composed_door<detail::bodies::frexp> frexp;
inline constexpr detail::composed_door<detail::bodies::ldexp> ldexp;
inline constexpr detail::composed_door<detail::bodies::spacing> spacing;
inline constexpr detail::composed_door<detail::bodies::nextafter> nextafter;
inline constexpr detail::composed_door<detail::bodies::gcd> gcd;
inline constexpr detail::composed_door<detail::bodies::lcm> lcm;
inline constexpr detail::composed_door<detail::bodies::population_count> population_count;
inline constexpr detail::composed_door<detail::bodies::bitwise_count> bitwise_count;
inline constexpr detail::composed_door<detail::bodies::clz> clz;

namespace functions {

template <int Dim = -1, class X>
constexpr auto unwrap(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::unwrap<Dim>>(at, x);
}

}  // namespace functions
}  // namespace tessera
