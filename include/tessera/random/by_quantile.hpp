// SPDX-License-Identifier: Apache-2.0
#pragma once
// Distributions by the inverse of their distribution function, of one uniform number each: cauchy, logistic<float,
// 8>(key), rayleigh<float, 8>(key, scale), weibull_min(key, scale, concentration), pareto(key, b), triangular(key,
// left, mode, right); geometric<int32, 8>(key, p): the number of trials until an event of probability p. Without
// extents the result has the shape and layout of parameters that are arrays. Gradients by all parameters but p. Moves 0
// bytes. Equal to JAX's except for rounding. Source: JAX 0.10.2 jax.random, functions of these names.

#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/op/elementwise/trigonometric.hpp>
#include <tessera/random/parameters.hpp>

namespace tessera {
namespace ops {

struct random_cauchy : drawn_from_uniform<random_cauchy> {
  static constexpr std::string_view name = "random_cauchy";
  template <class B>
  static constexpr term of(B& b, term unit, dtype element) {
    auto const u = between(b, unit, element, 2 * float_facts::of(element).half_step, 1.0);
    auto const middle = u - number(b, 0.5, element);
    return make<tan>(b, {number(b, 3.141592653589793, element) * middle});
  }
};
struct random_logistic : drawn_from_uniform<random_logistic> {
  static constexpr std::string_view name = "random_logistic";
  template <class B>
  static constexpr term of(B& b, term unit, dtype element) {
    auto const u = between(b, unit, element, float_facts::of(element).least, 1.0);
    auto const above = make<log1p>(b, {-u});
    return make<log>(b, {u}) - above;
  }
};

struct random_rayleigh : drawn_by_parameters<random_rayleigh, 1> {
  static constexpr std::string_view name = "random_rayleigh";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const twice = make<multiply>(from, {make<log>(from, {from.unit()}), from.real(-2)});
    return p[0] * make<sqrt>(from, {twice});
  }
};
struct random_weibull_min : drawn_by_parameters<random_weibull_min, 2> {
  static constexpr std::string_view name = "random_weibull_min";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const root = from.real(1) / p[1];
    return make<power>(from, {from.exponential(), root}) * p[0];
  }
};
struct random_pareto : drawn_by_parameters<random_pareto, 1> {
  static constexpr std::string_view name = "random_pareto";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    return make<exp>(from, {from.exponential() / p[0]});
  }
};
// (key, left, mode, right)
struct random_triangular : drawn_by_parameters<random_triangular, 3> {
  static constexpr std::string_view name = "random_triangular";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const minus = [&](term x, term y) { return x - y; };
    auto const times = [&](term x, term y) { return x * y; };
    auto const u = from.unit(), all = minus(p[2], p[0]), rising = minus(p[1], p[0]), falling = minus(p[2], p[1]);
    auto const up = make<sqrt>(from, {times(times(u, all), rising)});
    auto const down = make<sqrt>(from, {times(times(minus(from.real(1), u), all), falling)});
    auto const first = make<less>(from, {u, rising / all});
    return make<where>(from, {first, p[0] + up, minus(p[2], down)});
  }
};

// (key, p), drawn in p's type.
struct random_geometric {
  static constexpr std::string_view name = "random_geometric";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    array_value const p = x[1].facts();
    if (!is_integer(asked.element))
      return b.template refuse<random_geometric>(refuse(reason::element_unsupported), x[0].facts());
    attributes drawn = attrs;
    drawn.set(random_params{is_floating(p.element) ? p.element : dtype::float32, asked.shape});
    auto const turns = make<turns_to_success>(b, {x[0], x[1]}, drawn);
    return make<cast>(b, {turns}, cast_params{asked.element, false, cast_role::asked});
  }

private:
  struct turns_to_success : drawn_by_parameters<turns_to_success, 1> {
    static constexpr std::string_view name = "random_geometric";
    template <class B>
    static constexpr term of(drawing<B> const& from, term const* p) {
      auto const u = from.unit(), none = make<equal>(from, {u, from.real(0)});
      auto const above = make<log>(from, {make<where>(from, {none, from.real(1), u})});
      auto const below = make<log1p>(from, {-p[0]});
      auto const turns = make<floor>(from, {above / below});
      return turns + from.real(1);
    }
  };
};

}  // namespace ops

namespace random {

template <class Element = float, std::int64_t... Extents, class K>
constexpr auto cauchy(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_cauchy, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto cauchy(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_cauchy, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K>
constexpr auto logistic(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_logistic, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto logistic(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_logistic, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, class Scale>
constexpr auto rayleigh(prng_key<K> const& key, Scale const& scale, site at = std::source_location::current()) {
  return invoke<ops::random_rayleigh, drawn<Element, Extents...>>(at, key.data, scale);
}
template <class Element = float, std::int64_t... Extents, class K, class Scale, Spec S, Mesh M>
constexpr auto rayleigh(prng_key<K> const& key, Scale const& scale, out_sharding_t<S, M>,
                        site at = std::source_location::current()) {
  return invoke<ops::random_rayleigh, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, scale);
}
template <class Element = float, std::int64_t... Extents, class K, class Scale, class Shape>
constexpr auto weibull_min(prng_key<K> const& key, Scale const& scale, Shape const& concentration,
                           site at = std::source_location::current()) {
  return invoke<ops::random_weibull_min, drawn<Element, Extents...>>(at, key.data, scale, concentration);
}
template <class Element = float, std::int64_t... Extents, class K, class Scale, class Shape, Spec S, Mesh M>
constexpr auto weibull_min(prng_key<K> const& key, Scale const& scale, Shape const& concentration, out_sharding_t<S, M>,
                           site at = std::source_location::current()) {
  return invoke<ops::random_weibull_min, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, scale,
                                                                                     concentration);
}
template <class Element = float, std::int64_t... Extents, class K, class X>
constexpr auto pareto(prng_key<K> const& key, X const& b, site at = std::source_location::current()) {
  return invoke<ops::random_pareto, drawn<Element, Extents...>>(at, key.data, b);
}
template <class Element = float, std::int64_t... Extents, class K, class X, Spec S, Mesh M>
constexpr auto pareto(prng_key<K> const& key, X const& b, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::random_pareto, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, b);
}
template <class Element = float, std::int64_t... Extents, class K, class Left, class Mode, class Right>
constexpr auto triangular(prng_key<K> const& key, Left const& left, Mode const& mode, Right const& right,
                          site at = std::source_location::current()) {
  return invoke<ops::random_triangular, drawn<Element, Extents...>>(at, key.data, left, mode, right);
}
template <class Element = float, std::int64_t... Extents, class K, class Left, class Mode, class Right, Spec S, Mesh M>
constexpr auto triangular(prng_key<K> const& key, Left const& left, Mode const& mode, Right const& right,
                          out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_triangular, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, left, mode, right);
}
template <class Element = std::int32_t, std::int64_t... Extents, class K, class P>
constexpr auto geometric(prng_key<K> const& key, P const& p, site at = std::source_location::current()) {
  return invoke<ops::random_geometric, drawn<Element, Extents...>>(at, key.data, p);
}
template <class Element = std::int32_t, std::int64_t... Extents, class K, class P, Spec S, Mesh M>
constexpr auto geometric(prng_key<K> const& key, P const& p, out_sharding_t<S, M>,
                         site at = std::source_location::current()) {
  return invoke<ops::random_geometric, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, p);
}

}  // namespace random
}  // namespace tessera
