// SPDX-License-Identifier: Apache-2.0
#pragma once
// Distributions of normal numbers and signs: rademacher<int32, 8>(key), each -1 or 1; lognormal<float, 8>(key,
// deviation); maxwell<float, 8>(key), the length of three normal numbers; double_sided_maxwell(key, middle, scale);
// wald(key, mean). Without extents the result has the shape and layout of parameters that are arrays.
// multivariate_normal<float, 8>(key, mean, covariance): 8 rows of as many numbers as mean has. Gradients by all
// parameters. Moves 0 bytes, except for the factor of a covariance that is split. Equal to JAX's except for rounding.
// Source: JAX 0.10.2 jax.random, functions of these names.

#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/linalg/linalg.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/reduce_sum.hpp>
#include <tessera/random/parameters.hpp>

namespace tessera {
namespace ops {

struct random_rademacher {
  static constexpr std::string_view name = "random_rademacher";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (is_unsigned(asked.element) || asked.element == dtype::boolean)
      return b.template refuse<random_rademacher>(refuse(reason::element_unsupported), x[0].facts());
    key_words const key = tessera::detail::words_of_key<random_rademacher>(b, x[0]);
    return key ? drawing<B>{b, key, asked, attrs}.sign() : term{&b, -1};
  }
};

struct random_lognormal : drawn_by_parameters<random_lognormal, 1> {
  static constexpr std::string_view name = "random_lognormal";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    return make<exp>(from, {from.normal() * p[0]});
  }
};

struct random_maxwell {
  static constexpr std::string_view name = "random_maxwell";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (!is_floating(asked.element))
      return b.template refuse<random_maxwell>(refuse(reason::element_unsupported), x[0].facts());
    key_words const key = tessera::detail::words_of_key<random_maxwell>(b, x[0]);
    return key ? length(drawing<B>{b, key, asked, attrs}) : term{&b, -1};
  }
  template <class B>
  static constexpr term length(drawing<B> from) {
    int const rank = from.asked.shape.count;
    from.asked.shape.push_back(3);
    auto const all = from.normal();
    auto const sum = make<reduce_sum>(from, {make<square>(from, {all})}, reduce_params{{rank}});
    return make<sqrt>(from, {sum});
  }
};
// (key, middle, scale)
struct random_double_sided_maxwell : drawn_by_parameters<random_double_sided_maxwell, 2> {
  static constexpr std::string_view name = "random_double_sided_maxwell";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const size = random_maxwell::length(from.part(0));
    auto const signed_size = from.part(1).sign() * size;
    return signed_size * p[1] + p[0];
  }
};

// By the transformation of Michael, Schucany and Haas 1976.
struct random_wald : drawn_by_parameters<random_wald, 1> {
  static constexpr std::string_view name = "random_wald";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const times = [&](term x, term y) { return x * y; };
    auto const plus = [&](term x, term y) { return x + y; };
    auto const by = [&](term x, term y) { return x / y; };
    auto const mean = p[0], squared = make<square>(from, {mean}), two = from.real(2);
    auto const y = make<square>(from, {from.part(0).normal()});
    auto const under = plus(times(times(from.real(4), mean), y), times(squared, make<square>(from, {y})));
    auto const back = times(by(mean, two), make<sqrt>(from, {under}));
    auto const root = plus(mean, by(times(squared, y), two)) - back;
    auto const first = make<less_equal>(from, {from.part(1).unit(), by(mean, plus(mean, root))});
    return make<where>(from, {first, root, by(squared, root)});
  }
};

}  // namespace ops

namespace random {

template <class Element = std::int32_t, std::int64_t... Extents, class K>
constexpr auto rademacher(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_rademacher, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = std::int32_t, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto rademacher(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_rademacher, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, class Deviation>
constexpr auto lognormal(prng_key<K> const& key, Deviation const& deviation,
                         site at = std::source_location::current()) {
  return invoke<ops::random_lognormal, drawn<Element, Extents...>>(at, key.data, deviation);
}
template <class Element = float, std::int64_t... Extents, class K, class Deviation, Spec S, Mesh M>
constexpr auto lognormal(prng_key<K> const& key, Deviation const& deviation, out_sharding_t<S, M>,
                         site at = std::source_location::current()) {
  return invoke<ops::random_lognormal, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, deviation);
}
template <class Element = float, std::int64_t... Extents, class K>
constexpr auto maxwell(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_maxwell, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto maxwell(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_maxwell, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, class Middle, class Scale>
constexpr auto double_sided_maxwell(prng_key<K> const& key, Middle const& middle, Scale const& scale,
                                    site at = std::source_location::current()) {
  return invoke<ops::random_double_sided_maxwell, drawn<Element, Extents...>>(at, key.data, middle, scale);
}
template <class Element = float, std::int64_t... Extents, class K, class Middle, class Scale, Spec S, Mesh M>
constexpr auto double_sided_maxwell(prng_key<K> const& key, Middle const& middle, Scale const& scale,
                                    out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_double_sided_maxwell, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, middle,
                                                                                              scale);
}
template <class Element = float, std::int64_t... Extents, class K, class Mean>
constexpr auto wald(prng_key<K> const& key, Mean const& mean, site at = std::source_location::current()) {
  return invoke<ops::random_wald, drawn<Element, Extents...>>(at, key.data, mean);
}
template <class Element = float, std::int64_t... Extents, class K, class Mean, Spec S, Mesh M>
constexpr auto wald(prng_key<K> const& key, Mean const& mean, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::random_wald, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, mean);
}

namespace detail {
template <class Element = float, std::int64_t... Extents, class K, class Mean, class Covariance, class... Out>
constexpr auto correlated(prng_key<K> const& key, Mean const& mean, Covariance const& covariance, site at,
                          Out const&... out) {
  constexpr array_value facts = operand_traits<Mean>::type::value;
  static_assert(facts.rank == 1,
                "tessera: multivariate_normal has a mean of one dimension, and of as many a covariance has rows.");
  auto const apart = random::normal<Element, Extents..., facts.extent(0)>(key, out..., at);
  return matmul(apart, cholesky(covariance, at).T(), at) + mean;
}
}  // namespace detail
template <class Element = float, std::int64_t... Extents, class K, class Mean, class Covariance>
constexpr auto multivariate_normal(prng_key<K> const& key, Mean const& mean, Covariance const& covariance,
                                   site at = std::source_location::current()) {
  return detail::correlated<Element, Extents...>(key, mean, covariance, at);
}
template <class Element = float, std::int64_t... Extents, class K, class Mean, class Covariance, Spec S, Mesh M>
constexpr auto multivariate_normal(prng_key<K> const& key, Mean const& mean, Covariance const& covariance,
                                   out_sharding_t<S, M> out, site at = std::source_location::current()) {
  return detail::correlated<Element, Extents...>(key, mean, covariance, at, out);
}

}  // namespace random
}  // namespace tessera
