// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers of events: poisson<int32, 8>(key, mean); binomial<float, 8>(key, n, p): of n trials, each with probability p;
// multinomial<float>(key, n, p): of n trials as many for each of the outcomes, p (..., outcomes) -> (..., outcomes).
// Without extents the result has the shape and layout of parameters that are arrays. No gradient. Moves 0 bytes.
// A mean, or a smaller n p, below 10: sums of exponential numbers (Knuth), of geometric ones; else by transformed
// rejection (Hormann 1993: PTRS, BTRS). Each element takes turns until it accepts a number, from uniform numbers that are
// those of JAX. JAX's loop ends when all elements have accepted, and takes the last number that an element accepts on the
// way: so numbers below 10 are JAX's, others where JAX draws one at a time (docs/random.md).
// binomial: NaN if n < 0 or p is no probability. poisson: -1 if the mean is negative or NaN.
// Source: JAX 0.10.2 jax.random, functions of these names.

#include <tessera/control/scan.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/elementwise/bitwise.hpp>
#include <tessera/op/elementwise/clamp.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/random/gamma.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/random/parameters.hpp>
#include <tessera/trace/composed.hpp>

#include <cmath>

namespace tessera {
namespace detail {

// What a key gives the element at a place of an array: [0, 1).
template <class T, class Place>
TESSERA_FUNCTION T unit_at(threefry_words key, Place place) {
  auto const at = static_cast<std::uint64_t>(place);
  auto const high = sizeof(Place) == 8 ? static_cast<std::uint32_t>(at >> 32) : 0u;
  return unit_of_bits<T>(threefry_2x32(key, {high, static_cast<std::uint32_t>(at)}));
}

// log(k!) less Stirling's (k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2: DLMF 5.11.1, below 10 from greater numbers.
TESSERA_FUNCTION inline double stirling_rest(double k) {
  double below = 0;
  for (; k < 10; k += 1) below += (k + 1.5) * std::log((k + 2) / (k + 1)) - 1;
  double const x = k + 1, z = 1 / (x * x);
  return below + (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - z / 1680) * z) * z) / x;
}

// The number of turns until the product of uniform numbers is below exp(-mean).
template <class Place>
TESSERA_FUNCTION float poisson_by_product(threefry_words key, float mean, Place place) {
  float turns = 0, log_product = 0;
  while (log_product > -mean) {
    log_product += std::log(unit_at<float>(key_after(key, 1), place));
    key = key_after(key, 0);
    turns += 1;
  }
  return turns - 1;
}
template <class Place>
TESSERA_FUNCTION float poisson_by_rejection(threefry_words key, float mean, Place place) {
  float const b = 0.931f + 2.53f * std::sqrt(mean), a = -0.059f + 0.02483f * b;
  float const scale = 1.1239f + 1.1328f / (b - 3.4f), inside = 0.9277f - 3.6224f / (b - 2.0f);
  while (true) {
    float const u = unit_at<float>(key_after(key, 1), place) - 0.5f, v = unit_at<float>(key_after(key, 2), place);
    float const edge = 0.5f - std::abs(u), k = std::floor((2.0f * a / edge + b) * u + mean + 0.43f);
    key = key_after(key, 0);
    if (edge >= 0.07f && v <= inside) return k;
    if (!(k >= 0) || (edge < 0.013f && v > edge)) continue;
    double const x = k, m = mean;
    double const log_factorial = (x + 0.5) * std::log(x + 1) - (x + 1) + 0.91893853320467274178 + stirling_rest(x);
    if (std::log(double(v) * scale / (a / (double(edge) * edge) + b)) <= x * std::log(m) - m - log_factorial) return k;
  }
}

// How many geometric numbers there are until their sum is above n.
template <class T, class Place>
TESSERA_FUNCTION T binomial_by_sums(threefry_words key, T n, T p, Place place) {
  T const none = std::log1p(-p);
  T turns = 0, sum = 0;
  while (sum <= n) {
    sum += std::ceil(std::log(unit_at<T>(key_after(key, 0), place)) / none);
    key = key_after(key, 1);
    turns += 1;
  }
  return turns - 1;
}
// Of p <= 1/2.
template <class T, class Place>
TESSERA_FUNCTION T binomial_by_rejection(threefry_words key, T n, T p, Place place) {
  T const deviation = std::sqrt(n * p * (1 - p)), b = T(1.15) + T(2.53) * deviation;
  T const a = T(-0.0873) + T(0.0248) * b + T(0.01) * p, middle = n * p + T(0.5), inside = T(0.92) - T(4.2) / b;
  double const scale = (2.83 + 5.1 / b) * deviation, odds = double(p) / (1.0 - p), m = std::floor((n + 1.0) * p);
  while (true) {
    T const u = unit_at<T>(key_after(key, 1), place) - T(0.5), v = unit_at<T>(key_after(key, 2), place);
    T const edge = T(0.5) - std::abs(u), k = std::floor((2 * a / edge + b) * u + middle);
    key = key_after(key, 0);
    if (edge >= T(0.07) && v <= inside) return k;
    if (!(k >= 0 && k <= n)) continue;
    double const x = k, all = n;
    double const most = (m + 0.5) * std::log((m + 1) / (odds * (all - m + 1))) +
                        (all + 1) * std::log((all - m + 1) / (all - x + 1)) +
                        (x + 0.5) * std::log(odds * (all - x + 1) / (x + 1)) + stirling_rest(m) +
                        stirling_rest(all - m) - stirling_rest(x) - stirling_rest(all - x);
    if (std::log(v * scale / (a / (double(edge) * edge) + b)) <= most) return k;
  }
}

}  // namespace detail

namespace ops {

// (key, parameters, place) -> a number: both words of the key in one uint64. An elementwise op has at most three operands,
// so that two parameters are the parts of a complex number.
template <class Self, dtype... Parameters>
struct count_draw {
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 3;
  static constexpr verdict rule(rule_input const& in) {
    dtype const place = in[2].element;
    if (in[0].element != dtype::uint64 || !((in[1].element == Parameters) || ...) ||
        (place != dtype::int32 && place != dtype::int64))
      return refuse(reason::element_unsupported);
    verdict v = tessera::rule::broadcast(in);
    v.result.element = real_of(in[1].element);
    v.result.weak = false;
    return v;
  }
  static lanes_function block(dtype result, dtype place) {
    lanes_function found = nullptr;
    ((real_of(Parameters) == result ? void(found = loop_of_parameters<Parameters>(place)) : void()), ...);
    return found;
  }
  static constexpr bool locally_constant = true;

protected:
  TESSERA_FUNCTION static constexpr threefry_words key_of(std::uint64_t pair) {
    return {static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair)};
  }

private:
  template <dtype Given>
  static lanes_function loop_of_parameters(dtype place) {
    using R = element_of<real_of(Given)>;
    using X = element_of<Given>;
    if (place == dtype::int32)
      return tessera::detail::loop_of<Self, tessera::detail::lane_loop<Self, R, std::uint64_t, X, std::int32_t>>();
    return tessera::detail::loop_of<Self, tessera::detail::lane_loop<Self, R, std::uint64_t, X, std::int64_t>>();
  }
};

struct poisson_draw : count_draw<poisson_draw, dtype::float32> {
  static constexpr std::string_view name = "poisson_draw";
  template <class Place>
  TESSERA_FUNCTION static float eval(std::uint64_t key, float mean, Place place) {
    if (mean == 0) return 0;
    return mean >= 10 ? tessera::detail::poisson_by_rejection(key_of(key), mean, place)
                      : tessera::detail::poisson_by_product(key_of(key), mean, place);
  }
};
struct binomial_draw : count_draw<binomial_draw, dtype::complex64, dtype::complex128> {
  static constexpr std::string_view name = "binomial_draw";
  template <class X, class Place>
  TESSERA_FUNCTION static auto eval(std::uint64_t key, X const& n_and_p, Place place) {
    auto const count = n_and_p.real(), p = n_and_p.imag();
    using T = std::remove_const_t<decltype(p)>;
    T const q = p < T(0.5) ? p : 1 - p, n = std::floor(count);
    if (!(q >= 0) || !(count >= 0)) return std::numeric_limits<T>::quiet_NaN();
    if (count == std::numeric_limits<T>::infinity()) return count;
    T const drawn = count * q <= 10 ? tessera::detail::binomial_by_sums(key_of(key), n, q, place)
                                    : tessera::detail::binomial_by_rejection(key_of(key), n, q, place);
    return p < T(0.5) ? drawn : n - drawn;
  }
};

// Draw's numbers.
template <class Self, class Draw, int Parameters>
struct drawn_count : drawn_by_parameters<Self, Parameters> {
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    B& b = from.b;
    term x = p[0];
    if constexpr (Parameters == 2) x = make<complex>(b, {p[0], p[1]});
    if (x && x.facts().rank != 0 && x.facts().shape() != from.asked.shape) {
      attributes wide = from.attrs;
      wide.set(broadcast_params{{}, from.asked.shape});
      x = make<broadcast_to>(b, {x}, wide);
    }
    term const key = pair_of(b, from.key), place = tessera::detail::places_in(b, from.asked.shape, from.attrs);
    return key && x && place ? b.template emit<Draw>({key, x, place}) : term{&b, -1};
  }

private:
  template <class B>
  static constexpr term pair_of(B& b, key_words const& key) {
    auto const whole = [&](std::int64_t value) { return tessera::detail::whole_number(b, value, dtype::uint64); };
    auto const wide = [&](term word) { return tessera::detail::cast_to_element(b, word, dtype::uint64); };
    auto const high = make<left_shift>(b, {wide(key.first), whole(32)});
    return make<bitwise_or>(b, {high, make<bitwise_and>(b, {wide(key.second), whole(0xffffffff)})});
  }
};

// (key, mean) -> integers.
struct random_poisson {
  static constexpr std::string_view name = "random_poisson";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (!is_integer(asked.element))
      return b.template refuse<random_poisson>(refuse(reason::element_unsupported), x[0].facts());
    attributes drawn = attrs;
    drawn.set(random_params{dtype::float32, asked.shape});
    auto const counts = make<numbers>(b, {x[0], x[1]}, drawn);
    return make<cast>(b, {counts}, cast_params{asked.element, false, cast_role::asked});
  }

private:
  struct numbers : drawn_count<numbers, poisson_draw, 1> {
    static constexpr std::string_view name = "random_poisson";
  };
};
// (key, n, p) -> floats; 16-bit types: float32's numbers, rounded.
struct random_binomial {
  static constexpr std::string_view name = "random_binomial";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (!is_floating(asked.element))
      return b.template refuse<random_binomial>(refuse(reason::element_unsupported), x[0].facts());
    attributes drawn = attrs;
    drawn.set(random_params{wide_float(asked.element), asked.shape});
    auto const counts = make<numbers>(b, {x[0], x[1], x[2]}, drawn);
    return counts ? tessera::detail::cast_to_element(b, counts, asked.element) : counts;
  }

private:
  struct numbers : drawn_count<numbers, binomial_draw, 2> {
    static constexpr std::string_view name = "random_binomial";
  };
};

}  // namespace ops

namespace random {

template <class Element = std::int32_t, std::int64_t... Extents, class K, class Mean>
constexpr auto poisson(prng_key<K> const& key, Mean const& mean, site at = std::source_location::current()) {
  return invoke<ops::random_poisson, drawn<Element, Extents...>>(at, key.data, mean);
}
template <class Element = std::int32_t, std::int64_t... Extents, class K, class Mean, Spec S, Mesh M>
constexpr auto poisson(prng_key<K> const& key, Mean const& mean, out_sharding_t<S, M>,
                       site at = std::source_location::current()) {
  return invoke<ops::random_poisson, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, mean);
}
template <class Element = float, std::int64_t... Extents, class K, class N, class P>
constexpr auto binomial(prng_key<K> const& key, N const& n, P const& p, site at = std::source_location::current()) {
  return invoke<ops::random_binomial, drawn<Element, Extents...>>(at, key.data, n, p);
}
template <class Element = float, std::int64_t... Extents, class K, class N, class P, Spec S, Mesh M>
constexpr auto binomial(prng_key<K> const& key, N const& n, P const& p, out_sharding_t<S, M>,
                        site at = std::source_location::current()) {
  return invoke<ops::random_binomial, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, n, p);
}

}  // namespace random

namespace detail::bodies {

// Of the trials that are left, each outcome takes a binomial number.
template <class Element>
struct multinomial {
  template <class K, class N, class P>
  constexpr auto operator()(K const& data, N const& n, P const& given) const {
    constexpr bool wide = facts_in_body<N>.element == dtype::float64 || facts_in_body<P>.element == dtype::float64;
    using T = std::conditional_t<wide, double, float>;
    constexpr std::int64_t outcomes = facts_in_body<P>.extent(facts_in_body<P>.rank - 1);
    auto const p = moveaxis<-1, 0>(astype<T>(given));
    auto const left = cumsum<0>(p, reverse);
    auto const share = clip(p / where(left == 0.0, 1.0, left), 0.0, 1.0);
    auto const trials = full_like(squeeze<0>(slice_in_dim<0, 0, 1>(p)), 0.0) + astype<T>(n);
    auto const keys = random::split_batch<outcomes>(random::prng_key<K>{data});
    auto const turn = [](auto const& rest, auto const& x) {
      auto const count = random::binomial<T>(random::wrap_key_data(std::get<1>(x)), rest, std::get<0>(x));
      return std::tuple{rest - count, count};
    };
    return astype<Element>(moveaxis<0, -1>(std::get<1>(scan(turn, trials, std::tuple{share, keys.data}))));
  }
};

}  // namespace detail::bodies

namespace random {

template <class Element, class K, class N, class P>
constexpr auto multinomial(prng_key<K> const& key, N const& n, P const& p, site at = std::source_location::current()) {
  return tessera::detail::composed<tessera::detail::bodies::multinomial<Element>>(at, key.data, n, p);
}

}  // namespace random
}  // namespace tessera
