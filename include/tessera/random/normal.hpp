// SPDX-License-Identifier: Apache-2.0
#pragma once
// normal<float, 8, 4>(key): mean 0, variance 1. truncated_normal<float, 8>(key, low, high): a normal number between low
// and high. exponential, gumbel, laplace<float, 8>(key), of scale 1. Moves 0 bytes. Computed from uniform numbers by
// erf_inv and log: within 4 units in the last place of float32 of JAX's, whose elementary functions round differently;
// gumbel and exponential by the same absolute error near 0. truncated_normal has gradients by low and high.
// Source: JAX 0.10.2 jax.random, gumbel in mode "low".

#include <tessera/aval/float_format.hpp>
#include <tessera/op/elementwise/bitcast.hpp>
#include <tessera/op/elementwise/erf.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/random/uniform.hpp>

namespace tessera {
namespace ops {

// Constants of floating types for distributions.
struct float_facts {
  double below_one;  // the greatest number below 1
  double half_step;  // 1 less that
  double least;      // the least normal number
  static constexpr float_facts of(dtype element) {
    float_format const format = float_format_of(element);
    double const step = power_of_two(-format.digits);
    return {1.0 - step, step, power_of_two(format.min_exponent - 1)};
  }
  static constexpr double power_of_two(int n) {
    double p = 1;
    for (; n < 0; ++n) p /= 2;
    return p;
  }
};

// A draw whose numbers are Self::of(b, unit), from uniform ones in [0, 1).
template <class Self>
struct drawn_from_uniform {
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (!is_floating(asked.element)) return b.template refuse<Self>(refuse(reason::element_unsupported), x[0].facts());
    key_words const key = tessera::detail::words_of_key<Self>(b, x[0]);
    auto const unit = tessera::detail::random_unit(b, key, asked.element, asked.shape, attrs);
    return unit ? Self::of(b, unit, asked.element) : unit;
  }
  // Between numbers that are known.
  template <class B>
  static constexpr term between(B& b, term unit, dtype element, double low, double high) {
    return random_uniform::between(b, unit, number(b, low, element), number(b, high, element));
  }
};

struct random_normal : drawn_from_uniform<random_normal> {
  static constexpr std::string_view name = "random_normal";
  template <class B>
  static constexpr term of(B& b, term unit, dtype element) {
    auto const u = between(b, unit, element, -float_facts::of(element).below_one, 1.0);
    return make<multiply>(b, {make<erf_inv>(b, {u}), number(b, 1.4142135623730951, element)});
  }
};
struct random_exponential : drawn_from_uniform<random_exponential> {
  static constexpr std::string_view name = "random_exponential";
  template <class B>
  static constexpr term of(B& b, term unit, dtype) {
    return -make<log1p>(b, {-unit});
  }
};
struct random_gumbel : drawn_from_uniform<random_gumbel> {
  static constexpr std::string_view name = "random_gumbel";
  template <class B>
  static constexpr term of(B& b, term unit, dtype element) {
    auto const u = between(b, unit, element, float_facts::of(element).least, 1.0);
    auto const once = -make<log>(b, {u});
    return -make<log>(b, {once});
  }
};
struct random_laplace : drawn_from_uniform<random_laplace> {
  static constexpr std::string_view name = "random_laplace";
  template <class B>
  static constexpr term of(B& b, term unit, dtype element) {
    auto const u = between(b, unit, element, -float_facts::of(element).below_one, 1.0);
    auto const size = make<log1p>(b, {-make<absolute>(b, {u})});
    return make<sign>(b, {u}) * size;
  }
};

// (key, low, high), which are numbers.
struct random_truncated_normal {
  static constexpr std::string_view name = "random_truncated_normal";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    dtype const element = asked.element;
    if (!is_floating(element))
      return b.template refuse<random_truncated_normal>(refuse(reason::element_unsupported), x[0].facts());
    key_words const key = tessera::detail::words_of_key<random_truncated_normal>(b, x[0]);
    auto const unit = tessera::detail::random_unit(b, key, element, asked.shape, attrs);
    auto const low = tessera::detail::cast_to_element(b, x[1], element),
               high = tessera::detail::cast_to_element(b, x[2], element);
    if (!unit || !low || !high) return {&b, -1};
    auto const root = number(b, 1.4142135623730951, element);
    auto const u = random_uniform::between(b, unit, make<erf>(b, {low / root}), make<erf>(b, {high / root}));
    auto const z = make<erf_inv>(b, {u}) * root;
    auto const above = next_up(b, low), down = next_up(b, -high);
    auto const inside = make<maximum>(b, {z, above});
    return make<minimum>(b, {inside, -down});
  }

private:
  // The least number that is greater than x.
  template <class B>
  static constexpr term next_up(B& b, term x) {
    if (!x) return x;
    dtype const element = x.facts().element, whole = signed_integer(bytes_of(element));
    auto const bits = make<bitcast>(b, {x}, cast_params{whole});
    auto const one = tessera::detail::whole_number(b, 1, whole), zero = number(b, 0.0, element);
    term const away = bits + one, nearer = bits - one;
    auto const other = make<where>(b, {make<less>(b, {x, zero}), nearer, away});
    auto const next = make<bitcast>(b, {make<where>(b, {make<equal>(b, {x, zero}), one, other})}, cast_params{element});
    return make<where>(b, {make<isinf>(b, {make<maximum>(b, {x, zero})}), x, next});
  }
};

}  // namespace ops

namespace random {

template <class Element = float, std::int64_t... Extents, class K>
constexpr auto normal(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_normal, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto normal(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_normal, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K>
constexpr auto exponential(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_exponential, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto exponential(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_exponential, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K>
constexpr auto gumbel(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_gumbel, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto gumbel(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_gumbel, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K>
constexpr auto laplace(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_laplace, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto laplace(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_laplace, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, class Low, class High>
constexpr auto truncated_normal(prng_key<K> const& key, Low const& low, High const& high,
                                site at = std::source_location::current()) {
  return invoke<ops::random_truncated_normal, drawn<Element, Extents...>>(at, key.data, low, high);
}
template <class Element = float, std::int64_t... Extents, class K, class Low, class High, Spec S, Mesh M>
constexpr auto truncated_normal(prng_key<K> const& key, Low const& low, High const& high, out_sharding_t<S, M>,
                                site at = std::source_location::current()) {
  return invoke<ops::random_truncated_normal, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, low, high);
}

}  // namespace random
}  // namespace tessera
